import type { components as gateway } from '@lapwing/contracts/gateway'
import type { components, operations } from '@lapwing/contracts/identity'
import { IdentityError, IdentityUnreachableError, isSessionLost } from './identity-error.ts'
import type { PkceNamespace, PkceStore } from './pkce.ts'
import type { WalletType } from './wallet-browser.ts'

type GatewaySchemas = gateway['schemas']
type Schemas = components['schemas']
export type Authenticated = Schemas['AuthenticatedData']
export type IdentityUser = Schemas['User']
export type NewTotp = Schemas['TotpCreatedData']
export type PasswordStrength = Schemas['PasswordStrengthData']
export type ConnectedApp = Schemas['ConnectedAppsData']['connected_apps'][number]
export type Organization = Schemas['Organization']
export type AuthorizeRequest = Schemas['AuthorizeRequest']
export type AuthorizeStarted = Schemas['AuthorizeStartedData']
export type LogoutStarted = Schemas['LogoutStartedData']
/** The parameters of a request of an app to sign the driver out. */
export type LogoutRequest = NonNullable<
  operations['startOAuthLogout']['requestBody']
>['content']['application/json']
type Bootstrap = Schemas['BootstrapData']
/** The channels that carry codes to phones, and the countries whose numbers get them. */
export type PhoneCodes = Bootstrap['phone_codes']
export type PhoneChannel = PhoneCodes['channels'][number]

/** Minutes that a new session lasts. */
const SESSION_MINUTES = 60

/**
 * The address of the provider: ours on the page's own origin, or a hosted one. The protocol is the same.
 * `baseUrl` is an origin without a trailing slash; empty for the page's own.
 */
export type IdentityConfig = NonNullable<GatewaySchemas['PageConfig']['identity']>

export type OAuthProvider = 'google' | 'discord'

/**
 * The calls of the provider's protocol that the page makes. All reject with `IdentityError` if the provider
 * refuses. They reject with `IdentityUnreachableError` if it does not answer, or its answer is not
 * understood.
 */
export interface IdentityClient {
  createPassword(email: string, password: string): Promise<Authenticated>
  authenticatePassword(email: string, password: string): Promise<Authenticated>
  /** Sends a link to the page's `/reset`. */
  startPasswordReset(email: string): Promise<void>
  resetPassword(token: string, password: string): Promise<Authenticated>
  checkStrength(email: string, password: string): Promise<PasswordStrength>
  /** Returns the URL that starts a sign-in at a provider, which sends the browser back to `/authenticate`. */
  oauthStartUrl(provider: OAuthProvider): Promise<string>
  /** Returns the same, for a round trip that adds the provider's account to the signed-in driver. */
  oauthAddUrl(provider: OAuthProvider): Promise<string>
  authenticateOAuth(token: string): Promise<Authenticated>
  /** Signs in by the token of an organization's own sign-in. */
  authenticateSso(token: string): Promise<Authenticated>
  removeSocialAccount(id: string): Promise<void>
  /** Signs in by the token of a mailed link. One that adds an address needs the session that requested it. */
  authenticateMagicLink(token: string): Promise<Authenticated>
  /** Opens the account that an operator chose, by the token of the operator's link. */
  authenticateImpersonation(token: string): Promise<Authenticated>
  /** @param extend whether the session lasts 60 minutes from now, or as long as it would have */
  authenticateSession(extend: boolean): Promise<Authenticated>
  revokeSession(): Promise<void>
  /** Returns the account with all ways into it. */
  getUser(): Promise<IdentityUser>
  /** Mails a code that proves or adds an address of the signed-in driver. Returns the code's id. */
  sendEmailCode(email: string): Promise<string>
  /** Returns how codes reach phones here; null if they do not. */
  phoneCodes(): Promise<PhoneCodes | null>
  /** Texts a code that adds a number, in E.164, to the signed-in driver. Returns the code's id. */
  sendPhoneCode(number: string, channel: PhoneChannel): Promise<string>
  /** Proves or adds the address or number that a code was sent to. */
  authenticateCode(code: string, id: string): Promise<Authenticated>
  removePhone(id: string): Promise<void>
  /** Creates an authenticator app, which counts after its first code. */
  createTotp(): Promise<NewTotp>
  /**
   * Adds the code of the authenticator app to a session.
   *
   * @param token of a session that the page has not adopted; the page's own session if null
   */
  authenticateTotp(code: string, token: string | null): Promise<Authenticated>
  /** Does the same with a recovery code. */
  recoverTotp(code: string, token: string | null): Promise<Authenticated>
  /** Returns the unused recovery codes. */
  recoveryCodes(): Promise<readonly string[]>
  removeTotp(id: string): Promise<void>
  /** Returns the options for a new passkey, as JSON. */
  startPasskey(): Promise<string>
  /** Stores the passkey that the browser created from these options. */
  registerPasskey(credential: string): Promise<Authenticated>
  /** Returns the options for a sign-in with any passkey, as JSON. */
  startPasskeySignIn(): Promise<string>
  authenticatePasskey(credential: string): Promise<Authenticated>
  namePasskey(id: string, name: string): Promise<void>
  removePasskey(id: string): Promise<void>
  /** Returns the kinds of wallets that can be added here; none if that is unknown. */
  walletTypes(): Promise<readonly WalletType[]>
  /** Returns the text whose signature adds a wallet to the signed-in driver. */
  startWallet(type: WalletType, address: string): Promise<string>
  /** Adds the wallet by its signature: hex of Ethereum, base58 of Solana. */
  authenticateWallet(type: WalletType, address: string, signature: string): Promise<Authenticated>
  removeWallet(id: string): Promise<void>
  /** Returns the organizations whose member the driver is; none if this deployment knows none. */
  organizations(): Promise<readonly Organization[]>
  /** Returns the apps that the driver has connected; null if this deployment knows none. */
  connectedApps(): Promise<readonly ConnectedApp[] | null>
  disconnectApp(id: string): Promise<void>
  /** Returns what the consent page shows about a request of an app. */
  startAuthorize(request: AuthorizeRequest): Promise<AuthorizeStarted>
  /** Sends the driver's decision. Returns the address that the browser opens next. */
  submitAuthorize(request: AuthorizeRequest, isGranted: boolean): Promise<string>
  /** Checks where an app wants the browser to go after a sign-out. Signs nobody out. */
  startLogout(request: LogoutRequest): Promise<LogoutStarted>
}

export interface IdentityClientDeps {
  readonly fetch: typeof globalThis.fetch
  /** Resolves to null if this deployment has no accounts; rejects if that is unknown now. */
  readonly config: () => Promise<IdentityConfig | null>
  /** Returns the opaque session token; null if scripts cannot read it. */
  readonly sessionToken: () => string | null
  readonly pkce: PkceStore
  readonly pageOrigin: string
  readonly newId: () => string
  readonly now: () => Date
  /** Warns developers on the console about what a driver cannot change. */
  readonly warn: (sentence: string) => void
  readonly timeoutMs?: number
}

export function createIdentityClient(deps: IdentityClientDeps): IdentityClient {
  const { fetch, pkce, pageOrigin, newId, now, warn, timeoutMs = 15_000 } = deps
  const domain = new URL(pageOrigin).hostname
  let bootstrapped: Promise<Bootstrap | null> | null = null

  const configured = async () => {
    const config = await deps.config().catch((cause: unknown) => {
      throw new IdentityUnreachableError('Unable to contact our servers.', { cause })
    })
    if (config === null) throw new IdentityUnreachableError('Accounts are not available here.')
    return config
  }

  async function call<T>(method: Method, path: string, body?: object, token?: string | null): Promise<T> {
    const { baseUrl, publicToken } = await configured()
    const secret = token ?? deps.sessionToken() ?? publicToken
    const headers = {
      authorization: `Basic ${btoa(`${publicToken}:${secret}`)}`,
      'content-type': 'application/json',
      'x-sdk-client': btoa(JSON.stringify(clientFacts(newId, now(), pageOrigin))),
      'x-sdk-parent-host': pageOrigin,
    }
    let response: Response
    try {
      response = await fetch(`${baseUrl}/sdk/v1${path}`, {
        method,
        headers,
        credentials: 'include',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      })
    } catch (cause) {
      throw new IdentityUnreachableError('Unable to contact our servers.', { cause })
    }
    return readAnswer(response)
  }

  /** Loads the project's settings; null if that fails, which means their defaults. */
  async function bootstrap(): Promise<Bootstrap | null> {
    bootstrapped ??= configured().then(({ publicToken }) =>
      call<Bootstrap>('GET', `/projects/bootstrap/${encodeURIComponent(publicToken)}`),
    )
    try {
      return await bootstrapped
    } catch {
      bootstrapped = null
      warn('Unable to retrieve RBAC policy from servers. Assuming caller has no permissions.')
      return null
    }
  }

  async function challenge(namespace: PkceNamespace): Promise<string | undefined> {
    const settings = await bootstrap()
    const isRequired =
      namespace === 'oauth' ? settings?.pkce_required_for_oauth : settings?.pkce_required_for_password_resets
    if (!isRequired) {
      // Several reset mails can share one pair; the provider would refuse an unneeded one.
      pkce.clear(namespace)
      return undefined
    }
    return (await pkce.pair(namespace, { isNew: namespace === 'oauth' })).codeChallenge
  }

  async function oauthUrl(provider: OAuthProvider, more: Readonly<Record<string, string>> = {}) {
    const { baseUrl, publicToken } = await configured()
    const codeChallenge = await challenge('oauth')
    const url = new URL(`${baseUrl || pageOrigin}/v1/public/oauth/${provider}/start`)
    url.search = new URLSearchParams({
      public_token: publicToken,
      ...(codeChallenge && { code_challenge: codeChallenge }),
      login_redirect_url: `${pageOrigin}/authenticate`,
      signup_redirect_url: `${pageOrigin}/authenticate`,
      ...more,
    }).toString()
    return url.href
  }

  async function exchange(namespace: PkceNamespace, path: string, body: object): Promise<Authenticated> {
    const codeVerifier = pkce.verifier(namespace)
    if (namespace === 'oauth' && codeVerifier === null) {
      warn('No code verifier was found for this OAuth sign-in.')
    }
    const answer = await call<Authenticated>('POST', path, {
      ...body,
      session_duration_minutes: SESSION_MINUTES,
      ...(codeVerifier && { code_verifier: codeVerifier }),
    })
    pkce.clear(namespace)
    return answer
  }

  return {
    createPassword: (email, password) =>
      call('POST', '/passwords', { email, password, session_duration_minutes: SESSION_MINUTES }),
    authenticatePassword: (email, password) =>
      call('POST', '/passwords/authenticate', { email, password, session_duration_minutes: SESSION_MINUTES }),
    async startPasswordReset(email) {
      const codeChallenge = await challenge('passwords')
      await call('POST', '/passwords/email/reset/start', {
        email,
        reset_password_redirect_url: `${pageOrigin}/reset`,
        ...(codeChallenge && { code_challenge: codeChallenge }),
      })
    },
    resetPassword: (token, password) => exchange('passwords', '/passwords/email/reset', { token, password }),
    checkStrength: (email, password) =>
      call('POST', '/passwords/strength_check', { ...(email && { email }), password }),
    oauthStartUrl: provider => oauthUrl(provider),
    async oauthAddUrl(provider) {
      const { oauth_attach_token } = await call<Schemas['OAuthAttachData']>('POST', '/oauth/attach', {
        provider,
      })
      return oauthUrl(provider, { oauth_attach_token })
    },
    async removeSocialAccount(id) {
      await call('DELETE', `/users/oauth/${encodeURIComponent(id)}`)
    },
    authenticateMagicLink: token =>
      // Without a verifier: the page requests no such link itself, so none is bound to a verifier.
      call('POST', '/magic_links/authenticate', { token, session_duration_minutes: SESSION_MINUTES }),
    authenticateOAuth: token => exchange('oauth', '/oauth/authenticate', { token }),
    // The widget starts it with the pair of social sign-in.
    authenticateSso: token => exchange('oauth', '/sso/authenticate', { token }),
    authenticateImpersonation: token =>
      call('POST', '/impersonation/authenticate', { impersonation_token: token }),
    authenticateSession: extend =>
      call('POST', '/sessions/authenticate', extend ? { session_duration_minutes: SESSION_MINUTES } : {}),
    async revokeSession() {
      await call('POST', '/sessions/revoke')
    },
    getUser: () => call('GET', '/users/me'),
    async sendEmailCode(email) {
      const { method_id } = await call<Schemas['MethodIdData']>('POST', '/otps/email/send/secondary', {
        email,
        expiration_minutes: 10,
      })
      return method_id
    },
    async phoneCodes() {
      // A hosted provider of the same protocol has no such member.
      const offered: PhoneCodes | undefined = (await bootstrap())?.phone_codes
      return offered === undefined || offered.channels.length === 0 ? null : offered
    },
    async sendPhoneCode(number, channel) {
      const { method_id } = await call<Schemas['MethodIdData']>('POST', `/otps/${channel}/send/secondary`, {
        phone_number: number,
        expiration_minutes: 10,
        ...(channel === 'sms' && { enable_autofill: true }),
      })
      return method_id
    },
    async removePhone(id) {
      await call('DELETE', `/users/phone_numbers/${encodeURIComponent(id)}`)
    },
    authenticateCode: (code, id) =>
      call('POST', '/otps/authenticate', {
        token: code,
        method_id: id,
        session_duration_minutes: SESSION_MINUTES,
      }),
    createTotp: () => call('POST', '/totps', { expiration_minutes: 60 }),
    authenticateTotp: (code, token) =>
      call(
        'POST',
        '/totps/authenticate',
        { totp_code: code, session_duration_minutes: SESSION_MINUTES },
        token,
      ),
    recoverTotp: (code, token) =>
      call(
        'POST',
        '/totps/recover',
        { recovery_code: code, session_duration_minutes: SESSION_MINUTES },
        token,
      ),
    async recoveryCodes() {
      const { totps } = await call<Schemas['RecoveryCodesData']>('POST', '/totps/recovery_codes')
      return totps.flatMap(({ recovery_codes }) => recovery_codes)
    },
    async removeTotp(id) {
      await call('DELETE', `/users/totps/${encodeURIComponent(id)}`)
    },
    async startPasskey() {
      const { public_key_credential_creation_options: options } = await call<
        Schemas['WebauthnRegistrationStartData']
      >('POST', '/webauthn/register/start', { domain, return_passkey_credential_options: true })
      return options
    },
    registerPasskey: credential =>
      call('POST', '/webauthn/register', {
        public_key_credential: credential,
        session_duration_minutes: SESSION_MINUTES,
      }),
    async startPasskeySignIn() {
      const { public_key_credential_request_options: options } = await call<Schemas['WebauthnStartData']>(
        'POST',
        '/webauthn/authenticate/start/primary',
        { domain, return_passkey_credential_options: true },
      )
      return options
    },
    authenticatePasskey: credential =>
      call('POST', '/webauthn/authenticate', {
        public_key_credential: credential,
        session_duration_minutes: SESSION_MINUTES,
      }),
    async namePasskey(id, name) {
      await call('PUT', `/webauthn/update/${encodeURIComponent(id)}`, { name })
    },
    async removePasskey(id) {
      await call('DELETE', `/users/webauthn_registrations/${encodeURIComponent(id)}`)
    },
    async walletTypes() {
      // A hosted provider of the same protocol has no such member.
      return (await bootstrap())?.wallet_types ?? []
    },
    async startWallet(type, address) {
      const isSiwe = type === 'ethereum' && (await bootstrap())?.siwe_required_for_crypto_wallets
      const { challenge } = await call<Schemas['WalletStartData']>(
        'POST',
        '/crypto_wallets/authenticate/start/secondary',
        {
          crypto_wallet_address: address,
          crypto_wallet_type: type,
          ...(isSiwe && { siwe_params: { uri: pageOrigin } }),
        },
      )
      return challenge
    },
    authenticateWallet: (type, address, signature) =>
      call('POST', '/crypto_wallets/authenticate', {
        crypto_wallet_address: address,
        crypto_wallet_type: type,
        signature,
        session_duration_minutes: SESSION_MINUTES,
      }),
    async removeWallet(id) {
      await call('DELETE', `/users/crypto_wallets/${encodeURIComponent(id)}`)
    },
    async organizations() {
      try {
        return (await call<Schemas['OwnOrganizationsData']>('GET', '/users/organizations')).organizations
      } catch (error) {
        // A hosted provider of the same protocol, or an older version of ours, does not know the call.
        if (error instanceof IdentityError && error.status === 404 && !isSessionLost(error)) return []
        throw error
      }
    },
    async connectedApps() {
      try {
        const { connected_apps } = await call<Schemas['ConnectedAppsData']>('GET', '/users/connected_apps')
        return connected_apps
      } catch (error) {
        // A hosted provider of the same protocol can have this turned off.
        if (error instanceof IdentityError && error.type === 'endpoint_not_authorized_for_sdk') return null
        throw error
      }
    },
    async disconnectApp(id) {
      await call('POST', `/users/connected_apps/${encodeURIComponent(id)}/revoke`)
    },
    startAuthorize: request => call('POST', '/idp/oauth/authorize/start', request),
    async submitAuthorize(request, isGranted) {
      const { redirect_uri } = await call<Schemas['AuthorizeSubmittedData']>(
        'POST',
        '/idp/oauth/authorize/submit',
        { ...request, consent_granted: isGranted },
      )
      return redirect_uri
    },
    startLogout: request => call('POST', '/oauth/logout/start', request),
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Reads `{ data }` on success; otherwise a bare error object, or a list of schema problems. */
async function readAnswer<T>(response: Response): Promise<T> {
  const isJson = (response.headers.get('content-type') ?? '').includes('application/json')
  const body: unknown = isJson ? await response.json().catch(() => null) : null
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  if (response.status <= 299) {
    if (typeof fields.data === 'object' && fields.data !== null) return fields.data as T
    throw new IdentityUnreachableError('Invalid JSON response from our servers.')
  }
  if ('body' in fields || 'params' in fields || 'query' in fields) {
    throw new IdentityError(response.status, '', 'Request does not match expected schema.')
  }
  if (typeof fields.error_type !== 'string') {
    throw new IdentityUnreachableError('Invalid response from our servers.')
  }
  const { error_message, message } = fields
  const sentence = [error_message, message].find(text => typeof text === 'string' && text !== '')
  throw new IdentityError(response.status, fields.error_type, (sentence as string | undefined) ?? '')
}

/** Describes the client as the protocol requires. New ids with every call track no driver. */
function clientFacts(newId: () => string, now: Date, pageOrigin: string) {
  return {
    event_id: `event-id-${newId()}`,
    app_session_id: `app-session-id-${newId()}`,
    persistent_id: `persistent-id-${newId()}`,
    client_sent_at: now.toISOString(),
    timezone: 'UTC',
    app: { identifier: new URL(pageOrigin).hostname },
    sdk: { identifier: 'Lapwing', version: '1.0.0' },
  }
}
