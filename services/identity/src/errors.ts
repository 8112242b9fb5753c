import { AppError, type ErrorTable } from '@lapwing/http/app-error'
import { oauth2Entries, oauth2Errors } from './connected-apps/oauth2-error.ts'

/**
 * Every error type of the protocol, with its status and message. `errors.test.ts` compares the table
 * with the contract's `x-error-types`, both ways. If the client has a message of its own for a type, the
 * table repeats it.
 */
export const errorTypes = {
  invalid_email: { status: 400, message: 'Email format is invalid.' },
  invalid_phone_number: {
    status: 400,
    message: 'Phone number format is invalid. Ensure the phone number is in the E.164 format.',
  },
  unsubscribed_phone_number: {
    status: 400,
    message: 'This phone number has unsubscribed. Text START to subscribe again.',
  },
  inactive_email: {
    status: 400,
    message: 'This email has been marked as inactive. Try another email or contact an administrator.',
  },
  unauthorized_credentials: { status: 401, message: 'Unauthorized credentials.' },
  user_unauthenticated: {
    status: 401,
    message: 'Must have an active session to call this method. Have you logged in yet?',
  },
  email_not_found: { status: 404, message: 'Email not found.' },
  unable_to_auth_magic_link: {
    status: 401,
    message: 'This link has already been used or has expired. Please ask for a new one.',
  },
  no_user_password: { status: 400, message: 'Password not found for this user. Please try again.' },
  breached_password: {
    status: 400,
    message:
      'This password appears in a list of breached passwords and must be reset. Please choose another one.',
  },
  reset_password: { status: 400, message: 'Password must be reset.' },
  oauth_token_not_found: { status: 404, message: 'OAuth Token could not be found.' },
  invalid_code: { status: 400, message: 'Code format is invalid, please try again.' },
  member_password_not_found: { status: 404, message: 'Member password not found.' },
  oauth_flow_callback_error: {
    status: 400,
    message: 'The sign-in provider could not complete the sign-in. Please try again.',
  },
  unauthorized_action: { status: 403, message: 'Unauthorized action.' },
  user_lock_limit_reached: {
    status: 429,
    message: 'Too many failed authentication attempts. Please try again later.',
  },
  invalid_session_token: { status: 400, message: 'Invalid session token.' },
  session_not_found: { status: 404, message: 'Session not found.' },
  invalid_phone_number_country_code: {
    status: 400,
    message: 'The country code is invalid, not supported or disabled.',
  },
  otp_code_not_found: { status: 404, message: 'Invalid passcode, please try again.' },
  duplicate_member_phone_number: {
    status: 400,
    message: 'A member with this phone number already exists in the organization.',
  },
  duplicate_email: { status: 400, message: 'An account with this email already exists. Please sign in.' },
  weak_password: {
    status: 400,
    message: 'This password is too easy to guess. Please choose a stronger one.',
  },
  invalid_secret_authentication: { status: 401, message: 'The secret is not valid.' },
  unable_to_auth_otp_code: {
    status: 401,
    message: 'This passcode has already been used or has expired. Please ask for a new one.',
  },
  unable_to_auth_password_reset_token: {
    status: 401,
    message: 'This reset link is invalid or has expired. Please ask for a new one.',
  },
  pkce_mismatch: { status: 400, message: 'The code verifier does not belong to this link.' },
  pkce_expected_code_verifier: {
    status: 400,
    message: 'Please open this link in the browser in which you asked for it.',
  },
  pkce_did_not_expect_code_verifier: {
    status: 400,
    message: 'This link was asked for without a code challenge.',
  },
  too_many_requests: { status: 429, message: oauth2Errors.slow_down.message },
  user_not_found: { status: 404, message: 'User not found.' },
  factor_not_found: { status: 404, message: 'This way to sign in was not found.' },
  cannot_delete_last_factor: { status: 400, message: 'The last way to sign in cannot be removed.' },
  session_too_old_to_reset_password: {
    status: 401,
    message: 'Please sign in again before you change the password.',
  },
  session_too_old: { status: 401, message: 'Please sign in again first.' },
  endpoint_not_authorized_for_sdk: { status: 401, message: 'This call is not enabled here.' },
  no_match_for_provided_magic_link_url: {
    status: 400,
    message: 'The redirect address is not one of those configured for links.',
  },
  no_match_for_provided_oauth_url: {
    status: 400,
    message: 'The redirect address is not one of those configured for social sign-in.',
  },
  no_match_for_provided_password_reset_url: {
    status: 400,
    message: 'The redirect address is not one of those configured for password resets.',
  },
  oauth_state_mismatch: {
    status: 400,
    message: 'This sign-in was not started in this browser or has expired. Please try again.',
  },
  oauth_provider_not_configured: { status: 400, message: 'This sign-in provider is not set up here.' },
  invalid_oauth_attach_token: {
    status: 400,
    message: 'This request to add a social account has been used or has expired. Please start again.',
  },
  duplicate_oauth_registration: {
    status: 400,
    message:
      'This social account opens another account. Sign in with it and remove it there before you add it here.',
  },
  trusted_token_profile_not_found: {
    status: 404,
    message: 'There is no trusted issuer with this profile_id.',
  },
  invalid_trusted_auth_token: {
    status: 401,
    message: 'This token is not valid here, or has already been used. Please sign in again where it is from.',
  },
  unable_to_auth_impersonation_token: {
    status: 401,
    message: 'This link of an operator has already been used or has expired.',
  },
  oauth_access_token_exchange_token_invalid_grant: {
    status: 401,
    message: 'This access token is not valid here, was revoked, or has already been exchanged.',
  },
  oauth_access_token_exchange_token_too_old: {
    status: 401,
    message: 'An access token can be exchanged within five minutes only. Please get a new one.',
  },
  oauth_access_token_exchange_missing_full_access: {
    status: 403,
    message: 'Only an access token with the scope full_access can be exchanged for a session.',
  },
  cannot_update_trusted_metadata: { status: 401, message: 'Trusted metadata is written by servers only.' },
  invalid_session_duration_minutes: {
    status: 400,
    message: 'session_duration_minutes must be a whole number from 5 to 527040.',
  },
  invalid_expiration_minutes: { status: 400, message: 'The expiration in minutes is out of range.' },
  metadata_too_large: { status: 400, message: 'untrusted_metadata is larger than 4 KiB.' },
  invalid_public_token: { status: 400, message: 'The public token is not one of this project.' },
  origin_not_allowed: { status: 403, message: 'This page may not call this service.' },
  insufficient_factors: {
    status: 401,
    message: 'This needs a code of your authenticator app or a recovery code in this session first.',
  },
  active_totp_exists: {
    status: 400,
    message: 'This account has an authenticator app already. Please remove it before you add another one.',
  },
  totp_not_found: { status: 404, message: 'This account has no authenticator app.' },
  unable_to_authenticate_totp: {
    status: 401,
    message: 'This code is wrong or too old. Please try the next one, and check the clock of your phone.',
  },
  totp_code_already_authenticated: {
    status: 400,
    message: 'This code has already been used. Please wait for the next one.',
  },
  unable_to_authenticate_recovery_code: {
    status: 401,
    message: 'This recovery code is wrong or has already been used.',
  },
  webauthn_registration_not_found: {
    status: 404,
    message: 'This passkey does not belong to an account here. Please sign in in another way.',
  },
  invalid_public_key_credential: {
    status: 400,
    message: 'This passkey could not be confirmed. Please try again.',
  },
  invalid_webauthn_registration_domain: {
    status: 400,
    message: 'The domain is not one of this project’s pages.',
  },
  empty_webauthn_registration_name: { status: 400, message: 'Please enter a name for the passkey.' },
  too_many_user_registrations_for_domain: {
    status: 400,
    message: 'An account can have 50 passkeys. Please remove one before you add another.',
  },
  invalid_wallet_type: { status: 400, message: 'Wallets of this kind cannot sign in here.' },
  invalid_crypto_wallet_address: { status: 400, message: 'This is not the address of such a wallet.' },
  invalid_signature: { status: 400, message: 'The signature of the wallet is not well formed.' },
  signature_is_incorrect_size: { status: 400, message: 'The signature of the wallet has a wrong length.' },
  unable_to_authenticate_crypto_wallet: {
    status: 401,
    message: 'The wallet has not signed this sign-in, or too late. Please try again.',
  },
  duplicate_wallet_address: {
    status: 400,
    message: 'This wallet opens another account. Sign in with it and remove it there before you add it here.',
  },
  crypto_wallet_type_incompatible_with_siwe: {
    status: 400,
    message: 'siwe_params are only for wallets of Ethereum.',
  },
  invalid_siwe_uri: { status: 400, message: 'siwe_params.uri must be an address of an allowed page.' },
  invalid_siwe_statement: {
    status: 400,
    message: 'siwe_params.statement must be printable ASCII in one line.',
  },
  invalid_siwe_chain_id: { status: 400, message: 'siwe_params.chain_id must be a whole number above 0.' },
  invalid_siwe_message_request_id: {
    status: 400,
    message: 'siwe_params.message_request_id must be text without spaces, as in a path.',
  },
  invalid_siwe_resource: { status: 400, message: 'Every resource of siwe_params must be a URI.' },
  siwe_message_not_valid_yet: {
    status: 401,
    message: 'This signature is not valid yet. Please wait, and try again.',
  },
  organization_not_found: {
    status: 404,
    message: 'This organization is not known here, or it was turned off.',
  },
  sso_connection_not_found: {
    status: 404,
    message: 'This sign-in of an organization is not known here, or it was turned off.',
  },
  sso_token_not_found: {
    status: 404,
    message: 'This sign-in has already been used or has expired. Please start it again.',
  },
  sso_email_not_of_organization: {
    status: 403,
    message:
      'The sign-in of the organization did not confirm an email of its own domains. Please contact its administrator.',
  },
  cannot_join_org_due_to_auth_policy: {
    status: 403,
    message: 'The organization does not allow this way to sign in. Please sign in in a way that it allows.',
  },
  connected_app_not_found: { status: 404, message: 'This app is not known here, or it was turned off.' },
  connected_app_supplied_redirect_url_not_found_in_client: {
    status: 400,
    message: 'The app sent an address that it has not registered, so you were not sent there.',
  },
  bad_request: { status: 400, message: oauth2Errors.invalid_request.message },
  request_too_large: { status: 413, message: 'The request is larger than any valid one.' },
  unsupported_media_type: { status: 415, message: 'Send JSON.' },
  route_not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This address does not take requests of this kind.' },
  service_unavailable: {
    status: 503,
    message: 'Signing in is not possible at the moment. Please try again shortly.',
  },
  internal_server_error: { status: 500, message: oauth2Errors.server_error.message },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>

export type ErrorType = keyof typeof errorTypes

/** An error of identity. Only `write-error.ts` knows its wire format. */
export class IdentityError extends AppError<ErrorType> {
  constructor(type: ErrorType, options: { message?: string; retryAfterS?: number; cause?: unknown } = {}) {
    super(type, {
      ...(options.message !== undefined && { detail: options.message }),
      ...(options.retryAfterS !== undefined && { headers: { 'retry-after': String(options.retryAfterS) } }),
      cause: options.cause,
    })
    this.name = 'IdentityError'
  }
}

/** The same table in the format of the shared library. */
export const errors: ErrorTable = {
  ...Object.fromEntries(
    Object.entries(errorTypes).map(([type, { status, message }]) => [
      type,
      { status, title: type, detail: message },
    ]),
  ),
  ...oauth2Entries,
}
