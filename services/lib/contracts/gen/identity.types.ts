// Generated from openapi/identity.yaml by `make generate`. Do not edit.

export interface paths {
    "/sdk/v1/projects/bootstrap/{publicToken}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the project's settings */
        get: operations["getBootstrap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Client telemetry; accepted and dropped, since it holds addresses */
        post: operations["postEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the signed-in person */
        get: operations["getMe"];
        /** Change name or untrusted metadata */
        put: operations["updateMe"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/emails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a way to sign in */
        delete: operations["deleteEmail"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/phone_numbers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a way to sign in */
        delete: operations["deletePhoneNumber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/totps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a way to sign in */
        delete: operations["deleteTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/crypto_wallets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a way to sign in */
        delete: operations["deleteCryptoWallet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/oauth/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a way to sign in */
        delete: operations["deleteOAuthRegistration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/webauthn_registrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a way to sign in */
        delete: operations["deleteWebauthnRegistration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/biometric_registrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a way to sign in */
        delete: operations["deleteBiometricRegistration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return how an address signs in */
        post: operations["searchUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/sessions/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check the session; extends it if a duration is given */
        post: operations["authenticateSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/sessions/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/passwords": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign up */
        post: operations["createPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/passwords/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["authenticatePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/passwords/email/reset/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a reset link */
        post: operations["startPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/passwords/email/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with the token of the link */
        post: operations["resetPasswordByEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/passwords/existing_password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with the old one */
        post: operations["resetPasswordByExisting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/passwords/session/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password from a fresh session */
        post: operations["resetPasswordBySession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/passwords/strength_check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How strong a password is */
        post: operations["checkPasswordStrength"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/magic_links/email/login_or_create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a link; a new address gets an account */
        post: operations["sendMagicLinkOrCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/magic_links/email/send/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a link to a known address */
        post: operations["sendMagicLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/magic_links/email/send/secondary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a link that adds an address; it is valid only in a session of the person who asked for it */
        post: operations["sendMagicLinkInSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/magic_links/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with the token of a link */
        post: operations["authenticateMagicLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/email/login_or_create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code; a new address gets an account */
        post: operations["sendEmailCodeOrCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/email/send/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code to a known address */
        post: operations["sendEmailCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/email/send/secondary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code that adds an address; it is valid only in a session of the person who asked for it */
        post: operations["sendEmailCodeInSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/sms/login_or_create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code by SMS; a new number gets an account */
        post: operations["sendSmsCodeOrCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/sms/send/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code by SMS to a known number */
        post: operations["sendSmsCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/sms/send/secondary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code by SMS that adds a number; it is valid only in a session of the person who asked for it */
        post: operations["sendSmsCodeInSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/whatsapp/login_or_create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code by WhatsApp; a new number gets an account */
        post: operations["sendWhatsappCodeOrCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/whatsapp/send/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code by WhatsApp to a known number */
        post: operations["sendWhatsappCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/whatsapp/send/secondary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code by WhatsApp that adds a number; it is valid only in a session of the person who asked for it */
        post: operations["sendWhatsappCodeInSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/otps/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a code */
        post: operations["authenticateCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/oauth/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with the token of a provider's sign-in */
        post: operations["authenticateOAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/oauth/{provider}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Send the browser to a provider's sign-in page */
        get: operations["startOAuth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/oauth/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The address that a provider sends the browser back to */
        get: operations["finishOAuth"];
        put?: never;
        /** The same for a provider that answers with a form; redirects to the address above */
        post: operations["finishOAuthForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/texts/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The address that the messaging provider posts a person's answer to
         * @description STOP ends all texts of its channel to the number, START allows them again, and every other answer is ignored. The provider signs the form with the secret of Lapwing's account there. The same message has no effect a second time.
         */
        post: operations["receiveTextReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/jwks/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the key set */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the key set */
        get: operations["getWellKnownJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/sessions/exchange_access_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with an access token of a connected app that has the scope full_access */
        post: operations["exchangeAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/sessions/attest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a token of an issuer that the operator trusts */
        post: operations["attestSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/oauth/attach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return a token with which a provider's sign-in adds its account to the session's person; valid only in that session */
        post: operations["attachOAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/crypto_wallets/authenticate/start/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return a text whose signature by the wallet signs in; a new wallet gets an account */
        post: operations["startWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/crypto_wallets/authenticate/start/secondary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return a text whose signature adds the wallet; it is valid only in a session of the person who asked for it */
        post: operations["startWalletInSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/crypto_wallets/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a wallet, or add it to the account, by its signature of the text */
        post: operations["authenticateWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/totps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an authenticator app; it counts after its first code */
        post: operations["createTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/totps/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a code of the authenticator app to the session */
        post: operations["authenticateTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/totps/recovery_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return the unused recovery codes */
        post: operations["getRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/totps/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a recovery code to the session instead of a code of the authenticator app */
        post: operations["recoverTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/webauthn/register/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return the options that create a passkey */
        post: operations["startWebauthnRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/webauthn/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store a new passkey */
        post: operations["registerWebauthn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/webauthn/authenticate/start/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return the options that sign in with any passkey */
        post: operations["startWebauthn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/webauthn/authenticate/start/secondary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return the options for a passkey of the session's person */
        post: operations["startWebauthnInSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/webauthn/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey, or add it to the session */
        post: operations["authenticateWebauthn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/webauthn/update/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Name a passkey */
        put: operations["updateWebauthn"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/impersonation/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open an account for an operator, with a token from the command line; the session changes nothing of the account */
        post: operations["authenticateImpersonation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/b2b/organizations/members/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return how an address signs in, if its account is a member of the organization */
        post: operations["searchMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/organizations/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return the organization that claims the domain of an address; the answer depends on the domain alone, never on a person
         * @description With no organization the widget shows its fallback, with several connections its menu. With one connection and sso as the only method it can start the sign-in at once.
         */
        post: operations["discoverOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/organizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the name of an organization and its ways to sign in */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/organizations/{id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the signed-in person a member, if their address and the way they signed in allow it
         * @description The account needs a proved address in a domain of the organization. The session needs a factor that the organization allows. Otherwise the error is cannot_join_org_due_to_auth_policy. For a member it checks the same and changes nothing, so that a page can ask whether this session counts for the organization.
         */
        post: operations["joinOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the organizations whose member the signed-in person is */
        get: operations["getOwnOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/sso/{connection_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send the browser to the sign-in of an organization
         * @description Like the start of social sign-in. It comes back to login_redirect_url or signup_redirect_url with stytch_token_type=sso and a token for authenticateSso, or with error_type and error_message.
         */
        get: operations["startSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/sso/{connection_id}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The address that an organization's sign-in sends the browser back to */
        get: operations["finishSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/sso/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with the token of an organization's sign-in; makes the person a member */
        post: operations["authenticateSso"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/connected_apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the apps that the person has connected */
        get: operations["getConnectedApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/connected_apps/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw the consent for an app; all its tokens end */
        post: operations["revokeConnectedApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions of the person, the newest 100, after a sign-in of the last five minutes; not a call of the hosted provider */
        get: operations["getSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/users/sessions/revoke_others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End every session of the person but this one, after a sign-in of the last five minutes; not a call of the hosted provider */
        post: operations["revokeOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/idp/oauth/authorize/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return what the consent page shows about an app and its request */
        post: operations["startAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/idp/oauth/authorize/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store the decision and return the address that the browser opens next */
        post: operations["submitAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdk/v1/oauth/logout/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check where an app wants the browser to go after a sign-out */
        post: operations["startOAuthLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the provider's metadata (OpenID Connect Discovery) */
        get: operations["getOpenidConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an authorization code, or a refresh token, for tokens
         * @description The app authenticates by client_secret_basic or client_secret_post. A public app sends only its client_id.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the authorization of a token (RFC 7009); an unknown token is no error */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/userinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the claims about the person that the scopes of the access token allow */
        get: operations["getUserinfo"];
        put?: never;
        /** Do the same as GET; OpenID Connect requires both */
        post: operations["postUserinfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description identity checks it itself, so that the error is the protocol's; valid up to 254 characters. */
        Email: string;
        /** @description identity checks it itself, so that the error is the protocol's; the number of a mobile phone in E.164. */
        PhoneNumber: string;
        /** @description identity checks it: 8 to 1024 characters. */
        Password: string;
        /** @description 5 to 527040. */
        SessionMinutes: number;
        /** @description Without NUL, which the database cannot store. */
        Id: string;
        Token: string;
        ShortText: string;
        LongText: string;
        /** @description Only an address of the configured list. */
        RedirectUrl: string;
        /** @description The host of an allowed page or a parent domain of it. */
        WebauthnDomain: string;
        /** @description identity checks it itself, so that the error is the protocol's. Ethereum: 0x and 40 hex digits in any case. Solana: 32 bytes in base58. */
        WalletAddress: string;
        /** @description ethereum or solana. */
        WalletType: string;
        /** @description Parts of the text of Sign-In with Ethereum (EIP-4361). Used only if bootstrap asks for it. */
        SiweParams: {
            /** @description An address of an allowed page; by default the page that calls. */
            uri?: string;
            /** @description By EIP-155; 1 if left out. */
            chain_id?: string;
            /** @description RFC 3339; now if left out. */
            issued_at?: string;
            /** @description Printable ASCII. */
            statement?: string;
            /** @description RFC 3339. Before it the signature is refused. */
            not_before?: string;
            message_request_id?: string;
            resources?: string[];
        };
        Pkce: string;
        Name: {
            first_name?: components["schemas"]["ShortText"];
            middle_name?: components["schemas"]["ShortText"];
            last_name?: components["schemas"]["ShortText"];
        };
        CommonData: {
            request_id: string;
            status_code: number;
        };
        BootstrapData: {
            request_id: string;
            status_code: number;
            project_name: string;
            /** @constant */
            disable_sdk_watermark: true;
            cname_domain: null;
            email_domains: string[];
            captcha_settings: {
                /** @constant */
                enabled: false;
            };
            pkce_required_for_email_magic_links: boolean;
            pkce_required_for_password_resets: boolean;
            pkce_required_for_oauth: boolean;
            pkce_required_for_sso: boolean;
            slug_pattern: null;
            /** @constant */
            create_organization_enabled: false;
            /** @description Null because zxcvbn decides. */
            password_config: null;
            /** @constant */
            dfp_protected_auth_enabled: false;
            rbac_policy: components["schemas"]["RbacPolicy"];
            siwe_required_for_crypto_wallets: boolean;
            /** @constant */
            vertical: "CONSUMER";
            /** @description Lapwing's own: what a page can offer. Other providers of this protocol send no such member. */
            phone_codes: {
                channels: ("sms" | "whatsapp")[];
                /** @description Countries whose numbers get texts, as two letters of ISO 3166. */
                countries: string[];
            };
            /** @description Lapwing's own: the wallets that can sign in and be added here. Other providers of this protocol send no such member. */
            wallet_types?: ("ethereum" | "solana")[];
        };
        RbacPolicy: {
            roles: {
                role_id: string;
                description: string;
                permissions: {
                    resource_id: string;
                    actions: string[];
                }[];
            }[];
            resources: {
                resource_id: string;
                description: string;
                actions: string[];
            }[];
            scopes: Record<string, never>[];
        };
        /** Format: date-time */
        Time: string;
        User: {
            user_id: string;
            created_at: components["schemas"]["Time"];
            /** @enum {string} */
            status: "active" | "pending";
            name: {
                first_name: string;
                middle_name: string;
                last_name: string;
            };
            emails: {
                email_id: string;
                email: string;
                verified: boolean;
            }[];
            phone_numbers: components["schemas"]["UserPhoneNumber"][];
            providers: {
                oauth_user_registration_id: string;
                provider_subject: string;
                provider_type: string;
                profile_picture_url: string;
                locale: string;
            }[];
            password: {
                password_id: string;
                requires_reset: boolean;
            } | null;
            totps: components["schemas"]["UserTotp"][];
            crypto_wallets: components["schemas"]["UserCryptoWallet"][];
            webauthn_registrations: components["schemas"]["UserWebauthnRegistration"][];
            biometric_registrations: components["schemas"]["UserBiometricRegistration"][];
            trusted_metadata: Record<string, never>;
            untrusted_metadata: Record<string, never>;
            roles: string[];
            is_locked: boolean;
        };
        UserPhoneNumber: {
            phone_id: string;
            phone_number: string;
            verified: boolean;
        };
        UserTotp: {
            totp_id: string;
            /** @description Whether a first code has confirmed it. Only then sign-ins need it. */
            verified: boolean;
        };
        UserCryptoWallet: {
            crypto_wallet_id: string;
            /** @description In its only stored spelling; of Ethereum with the checksum of EIP-55. */
            crypto_wallet_address: string;
            crypto_wallet_type: string;
            verified: boolean;
        };
        UserWebauthnRegistration: {
            webauthn_registration_id: string;
            /** @description The relying party id. */
            domain: string;
            /** @description The browser that created the passkey. */
            user_agent: string;
            /** @description platform, cross-platform or empty if unknown */
            authenticator_type: string;
            verified: boolean;
            name: string;
        };
        UserBiometricRegistration: {
            biometric_registration_id: string;
            verified: boolean;
        };
        MeData: {
            request_id: string;
            status_code: number;
            user_id: string;
            created_at: components["schemas"]["Time"];
            /** @enum {string} */
            status: "active" | "pending";
            name: {
                first_name: string;
                middle_name: string;
                last_name: string;
            };
            emails: {
                email_id: string;
                email: string;
                verified: boolean;
            }[];
            phone_numbers: components["schemas"]["UserPhoneNumber"][];
            providers: {
                oauth_user_registration_id: string;
                provider_subject: string;
                provider_type: string;
                profile_picture_url: string;
                locale: string;
            }[];
            password: {
                password_id: string;
                requires_reset: boolean;
            } | null;
            totps: components["schemas"]["UserTotp"][];
            crypto_wallets: components["schemas"]["UserCryptoWallet"][];
            webauthn_registrations: components["schemas"]["UserWebauthnRegistration"][];
            biometric_registrations: components["schemas"]["UserBiometricRegistration"][];
            trusted_metadata: Record<string, never>;
            untrusted_metadata: Record<string, never>;
            roles: string[];
            is_locked: boolean;
        };
        UpdatedUserData: {
            request_id: string;
            status_code: number;
            user_id: string;
            emails: {
                email_id: string;
                email: string;
                verified: boolean;
            }[];
            phone_numbers: components["schemas"]["UserPhoneNumber"][];
            crypto_wallets: components["schemas"]["UserCryptoWallet"][];
            __user: components["schemas"]["User"];
        };
        UserChangeData: {
            request_id: string;
            status_code: number;
            user_id: string;
            __user: components["schemas"]["User"];
        };
        UserSearchData: {
            request_id: string;
            status_code: number;
            /** @enum {string} */
            userType: "new" | "password" | "passwordless";
        };
        Session: {
            session_id: string;
            user_id: string;
            started_at: components["schemas"]["Time"];
            last_accessed_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"];
            attributes: {
                ip_address: string;
                user_agent: string;
            };
            authentication_factors: {
                type: string;
                delivery_method: string;
                last_authenticated_at: string;
                created_at: string;
                updated_at: string;
            }[];
            custom_claims: Record<string, never> | null;
            roles: string[];
        };
        AuthenticatedData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            __user: components["schemas"]["User"];
            session: components["schemas"]["Session"];
            /** @description Opaque; empty if a cookie has it. */
            session_token: string;
            session_jwt: string;
        };
        AuthenticatedByMethodData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            __user: components["schemas"]["User"];
            session: components["schemas"]["Session"];
            /** @description Opaque; empty if a cookie has it. */
            session_token: string;
            session_jwt: string;
            method_id: string;
        };
        PasswordCreatedData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            __user: components["schemas"]["User"];
            session: components["schemas"]["Session"];
            /** @description Opaque; empty if a cookie has it. */
            session_token: string;
            session_jwt: string;
            email_id: string;
        };
        AuthenticatedByOAuthData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            __user: components["schemas"]["User"];
            session: components["schemas"]["Session"];
            /** @description Opaque; empty if a cookie has it. */
            session_token: string;
            session_jwt: string;
            provider_subject: string;
            provider_type: string;
            profile_picture_url: string;
            locale: string;
            oauth_user_registration_id: string;
            reset_sessions: boolean;
            /** @description The provider's own tokens are not forwarded: empty strings. */
            provider_values: {
                access_token: string;
                id_token: string;
                refresh_token: string;
                scopes: string[];
                expires_at: string | null;
            };
        };
        /**
         * @description A way to sign in that an organization can allow.
         * @enum {string}
         */
        AuthMethod: "emailMagicLinks" | "emailOtp" | "sso" | "passwords" | "oauth";
        SsoConnection: {
            connection_id: string;
            /** @description For a menu, such as the name of a branch. */
            display_name: string;
        };
        Organization: {
            organization_id: string;
            organization_name: string;
            /** @description Ways in which a session counts for the organization; at least one. */
            allowed_auth_methods: components["schemas"]["AuthMethod"][];
            /** @description Sign-ins of the organization, by name; empty if sso is not allowed. */
            sso_connections: components["schemas"]["SsoConnection"][];
        };
        Member: {
            /** @constant */
            status: "active";
            /** @description Always empty, because anybody can search. */
            name: string;
            /** @description Empty without a password. */
            member_password_id: string;
        };
        MemberSearchData: {
            request_id: string;
            status_code: number;
            /** @description Null if no member has the address as a proved one in a domain of the organization. */
            member: components["schemas"]["Member"] | null;
        };
        OrganizationDiscoveredData: {
            request_id: string;
            status_code: number;
            /** @description Null if no organization claims the domain. */
            organization: components["schemas"]["Organization"] | null;
        };
        OneOrganizationData: {
            request_id: string;
            status_code: number;
            organization: components["schemas"]["Organization"];
        };
        OwnOrganizationsData: {
            request_id: string;
            status_code: number;
            organizations: components["schemas"]["Organization"][];
        };
        AuthenticatedBySsoData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            __user: components["schemas"]["User"];
            session: components["schemas"]["Session"];
            /** @description Opaque; empty if a cookie has it. */
            session_token: string;
            session_jwt: string;
            organization: components["schemas"]["Organization"];
            /** @description Also the provider_type of the person's provider. */
            connection_id: string;
            provider_subject: string;
        };
        OAuthAttachData: {
            request_id: string;
            status_code: number;
            oauth_attach_token: string;
        };
        AuthenticatedByTotpData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            __user: components["schemas"]["User"];
            session: components["schemas"]["Session"];
            /** @description Opaque; empty if a cookie has it. */
            session_token: string;
            session_jwt: string;
            totp_id: string;
        };
        AuthenticatedByWebauthnData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            __user: components["schemas"]["User"];
            session: components["schemas"]["Session"];
            /** @description Opaque; empty if a cookie has it. */
            session_token: string;
            session_jwt: string;
            webauthn_registration_id: string;
        };
        TotpCreatedData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            __user: components["schemas"]["User"];
            totp_id: string;
            /** @description Base32, for an app that cannot read the QR code. */
            secret: string;
            /** @description A PNG as a data URL. */
            qr_code: string;
            recovery_codes: components["schemas"]["RecoveryCodeList"];
        };
        RecoveryCodeList: string[];
        RecoveryCodesData: {
            request_id: string;
            status_code: number;
            user_id: string;
            totps: {
                totp_id: string;
                verified: boolean;
                recovery_codes: components["schemas"]["RecoveryCodeList"];
            }[];
        };
        WebauthnRegistrationStartData: {
            request_id: string;
            status_code: number;
            user_id: string;
            /** @description JSON; binary members are base64url. */
            public_key_credential_creation_options: string;
        };
        WalletStartData: {
            request_id: string;
            status_code: number;
            /** @description The wallet signs it unchanged. */
            challenge: string;
        };
        WebauthnStartData: {
            request_id: string;
            status_code: number;
            /** @description Empty without a session. */
            user_id: string;
            /** @description JSON; binary members are base64url. */
            public_key_credential_request_options: string;
        };
        WebauthnUpdatedData: {
            request_id: string;
            status_code: number;
            webauthn_registration: components["schemas"]["UserWebauthnRegistration"];
        };
        MethodIdData: {
            request_id: string;
            status_code: number;
            /** @description Random; reveals nothing about an account. */
            method_id: string;
        };
        PasswordStrengthData: {
            request_id: string;
            status_code: number;
            valid_password: boolean;
            score: number;
            breached_password: boolean;
            breach_detection_on_create: boolean;
            /** @constant */
            strength_policy: "zxcvbn";
            feedback: {
                suggestions: string[];
                warning: string;
                luds_requirements: {
                    has_digit: boolean;
                    has_lower_case: boolean;
                    has_upper_case: boolean;
                    has_symbol: boolean;
                    missing_characters: number;
                    missing_complexity: number;
                };
            };
        };
        JwksDocument: {
            request_id: string;
            status_code: number;
            keys: {
                kty: string;
                use: string;
                key_ops: string[];
                alg: string;
                kid: string;
                n: string;
                e: string;
            }[];
        };
        /** @description The parameters of an authorization request (OAuth 2.1), as the page received them. Others are ignored. */
        AuthorizeRequest: {
            client_id: components["schemas"]["Id"];
            /** @description Exactly an address that the app registered. */
            redirect_uri: string;
            /** @description code. */
            response_type: string;
            scopes: string[];
            /** @description consent: ask even if the person has agreed before. */
            prompt?: string;
            /** @description Returned to the app unchanged. */
            state?: string;
            /** @description Returned in the ID token. */
            nonce?: string;
            /** @description Required by the second call: SHA-256 of the verifier, in base64url. */
            code_challenge?: string;
            /** @description S256. */
            code_challenge_method?: string;
            resource?: components["schemas"]["Resource"];
            resources?: components["schemas"]["Resource"];
        };
        /** @description Where the access token is used (RFC 8707). The protocol's client sends either name. Only the API of Lapwing. */
        Resource: string | string[];
        AppScope: {
            scope: string;
            /** @description False if the app is not registered for it. The app then goes without it. */
            is_grantable: boolean;
            description: string;
        };
        SessionsData: {
            request_id: string;
            status_code: number;
            sessions: {
                session_id: string;
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                last_accessed_at: string;
                /** Format: date-time */
                expires_at: string;
                /** @description The User-Agent of the sign-in. */
                user_agent: string;
                /** @description The session of this request. */
                is_current: boolean;
                /** @description An operator acts for the person in it. */
                is_operator: boolean;
            }[];
        };
        ConnectedAppsData: {
            request_id: string;
            status_code: number;
            connected_apps: {
                connected_app_id: string;
                name: string;
                description: string;
                /** @enum {string} */
                client_type: "third_party" | "third_party_public";
                /** @description Separated by spaces. */
                scopes_granted: string;
            }[];
        };
        AuthorizeStartedData: {
            request_id: string;
            status_code: number;
            user_id: string;
            user: components["schemas"]["User"];
            client: {
                client_id: string;
                /** @enum {string} */
                client_type: "third_party" | "third_party_public";
                client_name: string;
                client_description: string;
            };
            /** @description If false, the page submits the request without asking. */
            consent_required: boolean;
            scope_results: components["schemas"]["AppScope"][];
        };
        AuthorizeSubmittedData: {
            request_id: string;
            status_code: number;
            /** @description The app's address with code, or error, and state and iss. */
            redirect_uri: string;
            /** @description Left out if the request was refused. */
            authorization_code?: string;
        };
        LogoutStartedData: {
            request_id: string;
            status_code: number;
            redirect_uri: string;
            /** @description True if the page must ask before it ends the session, because no ID token of this person came with the request. */
            consent_required: boolean;
        };
        OpenidConfigurationDocument: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            userinfo_endpoint: string;
            revocation_endpoint: string;
            end_session_endpoint: string;
            jwks_uri: string;
            scopes_supported: string[];
            response_types_supported: string[];
            response_modes_supported: string[];
            grant_types_supported: string[];
            subject_types_supported: string[];
            id_token_signing_alg_values_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            code_challenge_methods_supported: string[];
            claims_supported: string[];
            authorization_response_iss_parameter_supported: boolean;
        };
        AppTokenSet: {
            /** @description A JWT (RFC 9068). */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
            /** @description The granted scopes. */
            scope: string;
            /** @description Only with the scope offline_access. Works once; the next answer has a new one. */
            refresh_token?: string;
            /** @description Only for a code with the scope openid. */
            id_token?: string;
        };
        UserinfoClaims: {
            sub: string;
            name?: string;
            given_name?: string;
            middle_name?: string;
            family_name?: string;
            email?: string;
            email_verified?: boolean;
        };
        AppErrorBody: {
            error: string;
            error_description: string;
        };
        ApiError: {
            status_code: number;
            request_id: string;
            error_type: string;
            error_message: string;
            error_url: string;
            error_details?: Record<string, never>;
        };
        SchemaError: {
            status_code: number;
            request_id: string;
            body?: components["schemas"]["SchemaProblem"][];
            params?: components["schemas"]["SchemaProblem"][];
            query?: components["schemas"]["SchemaProblem"][];
        };
        SchemaProblem: {
            keyword: string;
            dataPath: string;
            schemaPath: string;
            params: Record<string, never>;
            message: string;
        };
    };
    responses: {
        /** @description Done. */
        Common: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["CommonData"];
                };
            };
        };
        /** @description The settings. */
        Bootstrap: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["BootstrapData"];
                };
            };
        };
        /** @description The person. */
        Me: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["MeData"];
                };
            };
        };
        /** @description The changed person. */
        UpdatedUser: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["UpdatedUserData"];
                };
            };
        };
        /** @description The changed person. */
        UserChange: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["UserChangeData"];
                };
            };
        };
        /** @description How the address signs in. */
        UserSearch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["UserSearchData"];
                };
            };
        };
        /** @description Signed in. */
        Authenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["AuthenticatedData"];
                };
            };
        };
        /** @description Signed in. */
        AuthenticatedByMethod: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["AuthenticatedByMethodData"];
                };
            };
        };
        /** @description Signed in. */
        AuthenticatedByOAuth: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["AuthenticatedByOAuthData"];
                };
            };
        };
        /** @description The member. */
        MemberSearch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["MemberSearchData"];
                };
            };
        };
        /** @description The organization of the domain. */
        OrganizationDiscovered: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["OrganizationDiscoveredData"];
                };
            };
        };
        /** @description The organization. */
        OneOrganization: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["OneOrganizationData"];
                };
            };
        };
        /** @description The organizations. */
        OwnOrganizations: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["OwnOrganizationsData"];
                };
            };
        };
        /** @description Signed in. */
        AuthenticatedBySso: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["AuthenticatedBySsoData"];
                };
            };
        };
        /** @description The token for the start of the sign-in; valid once, for ten minutes. */
        OAuthAttach: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["OAuthAttachData"];
                };
            };
        };
        /** @description Signed up. */
        PasswordCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["PasswordCreatedData"];
                };
            };
        };
        /** @description The secret for the authenticator app. */
        TotpCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["TotpCreatedData"];
                };
            };
        };
        /** @description The session has the second factor. */
        AuthenticatedByTotp: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["AuthenticatedByTotpData"];
                };
            };
        };
        /** @description The unused codes. */
        RecoveryCodes: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["RecoveryCodesData"];
                };
            };
        };
        /** @description Options for the browser. */
        WebauthnRegistrationStart: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["WebauthnRegistrationStartData"];
                };
            };
        };
        /** @description Options for the browser. */
        WebauthnStart: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["WebauthnStartData"];
                };
            };
        };
        /** @description Signed in. */
        AuthenticatedByWebauthn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["AuthenticatedByWebauthnData"];
                };
            };
        };
        /** @description The named passkey. */
        WebauthnUpdated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["WebauthnUpdatedData"];
                };
            };
        };
        /** @description The text to sign. */
        WalletStart: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["WalletStartData"];
                };
            };
        };
        /** @description The verdict. */
        PasswordStrength: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["PasswordStrengthData"];
                };
            };
        };
        /** @description Sent. */
        MethodId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["MethodIdData"];
                };
            };
        };
        /** @description The sessions, the last used first. */
        Sessions: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["SessionsData"];
                };
            };
        };
        /** @description The apps. */
        ConnectedApps: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["ConnectedAppsData"];
                };
            };
        };
        /** @description The app and the scopes that it asks for. */
        AuthorizeStarted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["AuthorizeStartedData"];
                };
            };
        };
        /** @description The next address of the browser. */
        AuthorizeSubmitted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["AuthorizeSubmittedData"];
                };
            };
        };
        /** @description The next address of the browser. */
        LogoutStarted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    data: components["schemas"]["LogoutStartedData"];
                };
            };
        };
        /** @description The metadata. */
        OpenidConfiguration: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenidConfigurationDocument"];
            };
        };
        /** @description The tokens. */
        AppTokens: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppTokenSet"];
            };
        };
        /** @description The claims. */
        Userinfo: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UserinfoClaims"];
            };
        };
        /** @description What went wrong, as OAuth 2.1 defines it; x-oauth-errors lists the statuses and errors. */
        AppError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppErrorBody"];
            };
        };
        /** @description Public keys; two active ones during a rotation. */
        Jwks: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["JwksDocument"];
            };
        };
        /** @description The browser's next address. */
        Redirect: {
            headers: {
                Location?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description What went wrong, in the protocol's own shape; x-error-types lists the statuses and types. */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["SchemaError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getBootstrap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                publicToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Bootstrap"];
            default: components["responses"]["Error"];
        };
    };
    postEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>[];
            };
        };
        responses: {
            200: components["responses"]["Common"];
            default: components["responses"]["Error"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Me"];
            default: components["responses"]["Error"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: components["schemas"]["Name"];
                    /** @description At most 4 KiB as JSON. */
                    untrusted_metadata?: Record<string, never>;
                    /** @description Refused: only servers write it. */
                    trusted_metadata?: unknown;
                };
            };
        };
        responses: {
            200: components["responses"]["UpdatedUser"];
            default: components["responses"]["Error"];
        };
    };
    deleteEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserChange"];
            default: components["responses"]["Error"];
        };
    };
    deletePhoneNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserChange"];
            default: components["responses"]["Error"];
        };
    };
    deleteTotp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserChange"];
            default: components["responses"]["Error"];
        };
    };
    deleteCryptoWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserChange"];
            default: components["responses"]["Error"];
        };
    };
    deleteOAuthRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserChange"];
            default: components["responses"]["Error"];
        };
    };
    deleteWebauthnRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserChange"];
            default: components["responses"]["Error"];
        };
    };
    deleteBiometricRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserChange"];
            default: components["responses"]["Error"];
        };
    };
    searchUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["UserSearch"];
            default: components["responses"]["Error"];
        };
    };
    authenticateSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["Common"];
            default: components["responses"]["Error"];
        };
    };
    createPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    password: components["schemas"]["Password"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["PasswordCreated"];
            default: components["responses"]["Error"];
        };
    };
    authenticatePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    password: components["schemas"]["Password"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    startPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    login_redirect_url?: components["schemas"]["RedirectUrl"];
                    reset_password_redirect_url?: components["schemas"]["RedirectUrl"];
                    reset_password_expiration_minutes?: number;
                    reset_password_template_id?: components["schemas"]["ShortText"];
                    locale?: components["schemas"]["ShortText"];
                    code_challenge?: components["schemas"]["Pkce"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Common"];
            default: components["responses"]["Error"];
        };
    };
    resetPasswordByEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["Token"];
                    password: components["schemas"]["Password"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    code_verifier?: components["schemas"]["Pkce"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    resetPasswordByExisting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    existing_password: components["schemas"]["Password"];
                    new_password: components["schemas"]["Password"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    resetPasswordBySession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: components["schemas"]["Password"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    checkPasswordStrength: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email?: components["schemas"]["Email"];
                    password: components["schemas"]["Password"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["PasswordStrength"];
            default: components["responses"]["Error"];
        };
    };
    sendMagicLinkOrCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    login_magic_link_url?: components["schemas"]["RedirectUrl"];
                    signup_magic_link_url?: components["schemas"]["RedirectUrl"];
                    login_expiration_minutes?: number;
                    signup_expiration_minutes?: number;
                    login_template_id?: components["schemas"]["ShortText"];
                    signup_template_id?: components["schemas"]["ShortText"];
                    locale?: components["schemas"]["ShortText"];
                    code_challenge?: components["schemas"]["Pkce"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Common"];
            default: components["responses"]["Error"];
        };
    };
    sendMagicLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    login_magic_link_url?: components["schemas"]["RedirectUrl"];
                    signup_magic_link_url?: components["schemas"]["RedirectUrl"];
                    login_expiration_minutes?: number;
                    signup_expiration_minutes?: number;
                    login_template_id?: components["schemas"]["ShortText"];
                    signup_template_id?: components["schemas"]["ShortText"];
                    locale?: components["schemas"]["ShortText"];
                    code_challenge?: components["schemas"]["Pkce"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Common"];
            default: components["responses"]["Error"];
        };
    };
    sendMagicLinkInSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    login_magic_link_url?: components["schemas"]["RedirectUrl"];
                    signup_magic_link_url?: components["schemas"]["RedirectUrl"];
                    login_expiration_minutes?: number;
                    signup_expiration_minutes?: number;
                    login_template_id?: components["schemas"]["ShortText"];
                    signup_template_id?: components["schemas"]["ShortText"];
                    locale?: components["schemas"]["ShortText"];
                    code_challenge?: components["schemas"]["Pkce"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Common"];
            default: components["responses"]["Error"];
        };
    };
    authenticateMagicLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["Token"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    code_verifier?: components["schemas"]["Pkce"];
                };
            };
        };
        responses: {
            200: components["responses"]["AuthenticatedByMethod"];
            default: components["responses"]["Error"];
        };
    };
    sendEmailCodeOrCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    expiration_minutes?: number;
                    login_template_id?: components["schemas"]["ShortText"];
                    signup_template_id?: components["schemas"]["ShortText"];
                    locale?: components["schemas"]["ShortText"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    sendEmailCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    expiration_minutes?: number;
                    login_template_id?: components["schemas"]["ShortText"];
                    signup_template_id?: components["schemas"]["ShortText"];
                    locale?: components["schemas"]["ShortText"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    sendEmailCodeInSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: components["schemas"]["Email"];
                    expiration_minutes?: number;
                    login_template_id?: components["schemas"]["ShortText"];
                    signup_template_id?: components["schemas"]["ShortText"];
                    locale?: components["schemas"]["ShortText"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    sendSmsCodeOrCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    phone_number: components["schemas"]["PhoneNumber"];
                    expiration_minutes?: number;
                    locale?: components["schemas"]["ShortText"];
                    /** @description Whether the phone can offer the code to this page alone: the text ends with a line for it. */
                    enable_autofill?: boolean;
                    autofill_session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    sendSmsCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    phone_number: components["schemas"]["PhoneNumber"];
                    expiration_minutes?: number;
                    locale?: components["schemas"]["ShortText"];
                    /** @description Whether the phone can offer the code to this page alone: the text ends with a line for it. */
                    enable_autofill?: boolean;
                    autofill_session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    sendSmsCodeInSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    phone_number: components["schemas"]["PhoneNumber"];
                    expiration_minutes?: number;
                    locale?: components["schemas"]["ShortText"];
                    /** @description Whether the phone can offer the code to this page alone: the text ends with a line for it. */
                    enable_autofill?: boolean;
                    autofill_session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    sendWhatsappCodeOrCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    phone_number: components["schemas"]["PhoneNumber"];
                    expiration_minutes?: number;
                    locale?: components["schemas"]["ShortText"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    sendWhatsappCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    phone_number: components["schemas"]["PhoneNumber"];
                    expiration_minutes?: number;
                    locale?: components["schemas"]["ShortText"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    sendWhatsappCodeInSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    phone_number: components["schemas"]["PhoneNumber"];
                    expiration_minutes?: number;
                    locale?: components["schemas"]["ShortText"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["MethodId"];
            default: components["responses"]["Error"];
        };
    };
    authenticateCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["ShortText"];
                    method_id: components["schemas"]["Id"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["AuthenticatedByMethod"];
            default: components["responses"]["Error"];
        };
    };
    authenticateOAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["Token"];
                    code_verifier?: components["schemas"]["Pkce"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                };
            };
        };
        responses: {
            200: components["responses"]["AuthenticatedByOAuth"];
            default: components["responses"]["Error"];
        };
    };
    startOAuth: {
        parameters: {
            query?: {
                public_token?: components["schemas"]["ShortText"];
                code_challenge?: components["schemas"]["Pkce"];
                custom_scopes?: components["schemas"]["ShortText"];
                login_redirect_url?: components["schemas"]["RedirectUrl"];
                signup_redirect_url?: components["schemas"]["RedirectUrl"];
                oauth_attach_token?: components["schemas"]["ShortText"];
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: components["responses"]["Redirect"];
            default: components["responses"]["Error"];
        };
    };
    finishOAuth: {
        parameters: {
            query?: {
                code?: components["schemas"]["LongText"];
                state?: components["schemas"]["LongText"];
                error?: components["schemas"]["ShortText"];
                error_description?: components["schemas"]["LongText"];
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: components["responses"]["Redirect"];
            default: components["responses"]["Error"];
        };
    };
    finishOAuthForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    code?: components["schemas"]["LongText"];
                    state?: components["schemas"]["LongText"];
                    error?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            303: components["responses"]["Redirect"];
            default: components["responses"]["Error"];
        };
    };
    receiveTextReply: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The provider's id of the message. */
                    MessageSid: string;
                    /** @description The number in E.164, after `whatsapp:` if the message came that way. */
                    From: string;
                    Body: string;
                    /** @description How the provider understands the message: STOP, START or HELP. Some leave it out. */
                    OptOutType?: string;
                };
            };
        };
        responses: {
            /** @description The answer was received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Jwks"];
            default: components["responses"]["Error"];
        };
    };
    getWellKnownJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Jwks"];
            default: components["responses"]["Error"];
        };
    };
    exchangeAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    access_token: components["schemas"]["LongText"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    attestSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    profile_id: components["schemas"]["Id"];
                    token: components["schemas"]["LongText"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    attachOAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    provider: string;
                };
            };
        };
        responses: {
            200: components["responses"]["OAuthAttach"];
            default: components["responses"]["Error"];
        };
    };
    startWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    crypto_wallet_address: components["schemas"]["WalletAddress"];
                    crypto_wallet_type: components["schemas"]["WalletType"];
                    siwe_params?: components["schemas"]["SiweParams"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["WalletStart"];
            default: components["responses"]["Error"];
        };
    };
    startWalletInSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    crypto_wallet_address: components["schemas"]["WalletAddress"];
                    crypto_wallet_type: components["schemas"]["WalletType"];
                    siwe_params?: components["schemas"]["SiweParams"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["WalletStart"];
            default: components["responses"]["Error"];
        };
    };
    authenticateWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    crypto_wallet_address: components["schemas"]["WalletAddress"];
                    crypto_wallet_type: components["schemas"]["WalletType"];
                    /** @description Of the whole challenge. Ethereum: 65 bytes in hex, as personal_sign returns them. Solana: 64 bytes in base58. */
                    signature: string;
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    createTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description 5 to 1440; 60 if left out. After it the first code is refused. */
                    expiration_minutes?: number;
                };
            };
        };
        responses: {
            200: components["responses"]["TotpCreated"];
            default: components["responses"]["Error"];
        };
    };
    authenticateTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    totp_code: components["schemas"]["ShortText"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["AuthenticatedByTotp"];
            default: components["responses"]["Error"];
        };
    };
    getRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["RecoveryCodes"];
            default: components["responses"]["Error"];
        };
    };
    recoverTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    recovery_code: components["schemas"]["ShortText"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["AuthenticatedByTotp"];
            default: components["responses"]["Error"];
        };
    };
    startWebauthnRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    domain: components["schemas"]["WebauthnDomain"];
                    /** @enum {string} */
                    authenticator_type?: "platform" | "cross-platform" | "";
                    /** @description Ignored: every credential is a passkey. */
                    return_passkey_credential_options?: boolean;
                    /** @description Ignored: the handle is random. */
                    override_id?: string;
                    override_name?: string;
                    override_display_name?: string;
                    user_agent?: components["schemas"]["ShortText"];
                    /** @description Ignored: always base64url. */
                    use_base64_url_encoding?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["WebauthnRegistrationStart"];
            default: components["responses"]["Error"];
        };
    };
    registerWebauthn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The browser's credential as JSON. */
                    public_key_credential: string;
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                };
            };
        };
        responses: {
            200: components["responses"]["AuthenticatedByWebauthn"];
            default: components["responses"]["Error"];
        };
    };
    startWebauthn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    domain: components["schemas"]["WebauthnDomain"];
                    /** @description Ignored: every credential is a passkey. */
                    return_passkey_credential_options?: boolean;
                    /** @description Ignored: always base64url. */
                    use_base64_url_encoding?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["WebauthnStart"];
            default: components["responses"]["Error"];
        };
    };
    startWebauthnInSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    domain: components["schemas"]["WebauthnDomain"];
                    /** @description Ignored: every credential is a passkey. */
                    return_passkey_credential_options?: boolean;
                    /** @description Ignored: always base64url. */
                    use_base64_url_encoding?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["WebauthnStart"];
            default: components["responses"]["Error"];
        };
    };
    authenticateWebauthn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The browser's credential as JSON. */
                    public_key_credential: string;
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["AuthenticatedByWebauthn"];
            default: components["responses"]["Error"];
        };
    };
    updateWebauthn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description identity keeps the first 64 characters. */
                    name: string;
                };
            };
        };
        responses: {
            200: components["responses"]["WebauthnUpdated"];
            default: components["responses"]["Error"];
        };
    };
    authenticateImpersonation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    impersonation_token: components["schemas"]["Token"];
                    captcha_token?: components["schemas"]["ShortText"];
                    dfp_telemetry_id?: components["schemas"]["ShortText"];
                };
            };
        };
        responses: {
            200: components["responses"]["Authenticated"];
            default: components["responses"]["Error"];
        };
    };
    searchMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email_address: components["schemas"]["Email"];
                    organization_id: components["schemas"]["Id"];
                };
            };
        };
        responses: {
            200: components["responses"]["MemberSearch"];
            default: components["responses"]["Error"];
        };
    };
    discoverOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email_address: components["schemas"]["Email"];
                };
            };
        };
        responses: {
            200: components["responses"]["OrganizationDiscovered"];
            default: components["responses"]["Error"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OneOrganization"];
            default: components["responses"]["Error"];
        };
    };
    joinOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["OneOrganization"];
            default: components["responses"]["Error"];
        };
    };
    getOwnOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OwnOrganizations"];
            default: components["responses"]["Error"];
        };
    };
    startSso: {
        parameters: {
            query?: {
                public_token?: components["schemas"]["ShortText"];
                code_challenge?: components["schemas"]["Pkce"];
                /** @description An address that the organization can fill in. */
                login_hint?: components["schemas"]["Email"];
                login_redirect_url?: components["schemas"]["RedirectUrl"];
                signup_redirect_url?: components["schemas"]["RedirectUrl"];
            };
            header?: never;
            path: {
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: components["responses"]["Redirect"];
            default: components["responses"]["Error"];
        };
    };
    finishSso: {
        parameters: {
            query?: {
                code?: components["schemas"]["LongText"];
                state?: components["schemas"]["LongText"];
                error?: components["schemas"]["ShortText"];
                error_description?: components["schemas"]["LongText"];
            };
            header?: never;
            path: {
                connection_id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: components["responses"]["Redirect"];
            default: components["responses"]["Error"];
        };
    };
    authenticateSso: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: components["schemas"]["Token"];
                    code_verifier?: components["schemas"]["Pkce"];
                    session_duration_minutes?: components["schemas"]["SessionMinutes"];
                };
            };
        };
        responses: {
            200: components["responses"]["AuthenticatedBySso"];
            default: components["responses"]["Error"];
        };
    };
    getConnectedApps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConnectedApps"];
            default: components["responses"]["Error"];
        };
    };
    revokeConnectedApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["Common"];
            default: components["responses"]["Error"];
        };
    };
    getSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Sessions"];
            default: components["responses"]["Error"];
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: components["responses"]["Common"];
            default: components["responses"]["Error"];
        };
    };
    startAuthorize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizeRequest"];
            };
        };
        responses: {
            200: components["responses"]["AuthorizeStarted"];
            default: components["responses"]["Error"];
        };
    };
    submitAuthorize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizeRequest"] & {
                    consent_granted: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["AuthorizeSubmitted"];
            default: components["responses"]["Error"];
        };
    };
    startOAuthLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    client_id: components["schemas"]["Id"];
                    post_logout_redirect_uri: string;
                    state?: string;
                    id_token_hint?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["LogoutStarted"];
            default: components["responses"]["Error"];
        };
    };
    getOpenidConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OpenidConfiguration"];
            default: components["responses"]["Error"];
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description authorization_code or refresh_token. */
                    grant_type: string;
                    code?: string;
                    /** @description The same as in the request for the code. */
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                    /** @description A part of the granted scopes. */
                    scope?: string;
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["AppTokens"];
            default: components["responses"]["AppError"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description A refresh or an access token. Both end. */
                    token: string;
                    token_type_hint?: string;
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description The token is not valid any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["AppError"];
        };
    };
    getUserinfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Userinfo"];
            default: components["responses"]["AppError"];
        };
    };
    postUserinfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Userinfo"];
            default: components["responses"]["AppError"];
        };
    };
}
