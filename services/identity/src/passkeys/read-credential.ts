import { isDeeperThan, MAX_JSON_DEPTH } from '@lapwing/http'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { IdentityError } from '../errors.ts'

/** Reads the browser's new passkey. Throws `invalid_public_key_credential` if it has another shape. */
export function readNewCredential(json: string): RegistrationResponseJSON {
  return readCredential(json, ['clientDataJSON', 'attestationObject'])
}

/** Reads the browser's proof of a passkey. Throws `invalid_public_key_credential` if it has another shape. */
export function readAssertion(json: string): AuthenticationResponseJSON {
  return readCredential(json, ['clientDataJSON', 'authenticatorData', 'signature'])
}

/** Returns the challenge that the browser signed; `invalid_public_key_credential` without one. */
export function challengeOf({ response }: RegistrationResponseJSON | AuthenticationResponseJSON): string {
  const data = parseObject(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
  if (typeof data?.challenge !== 'string' || data.challenge === '') throw invalidCredential()
  return data.challenge
}

/** Returns the error for everything that is wrong with a passkey: the details help only an attacker. */
export function invalidCredential(cause?: unknown): IdentityError {
  return new IdentityError('invalid_public_key_credential', { cause })
}

/** Characters of a credential id; WebAuthn allows 1,023 bytes. */
const MAX_ID_LENGTH = 1_364

function readCredential<Credential>(json: string, members: readonly string[]): Credential {
  const credential = parseObject(json)
  const response = credential?.response as Readonly<Record<string, unknown>> | null | undefined
  const isText = (value: unknown, maxLength = json.length) =>
    typeof value === 'string' && value.length <= maxLength && /^[A-Za-z0-9_-]+$/.test(value)
  const isValid =
    isText(credential?.id, MAX_ID_LENGTH) &&
    typeof response === 'object' &&
    response !== null &&
    members.every(member => isText(response[member]))
  if (!isValid) throw invalidCredential()
  return credential as Credential
}

/** Parses JSON that was text inside a JSON body, with the same limit of nesting. Returns null for anything else. */
function parseObject(json: string): Readonly<Record<string, unknown>> | null {
  if (isDeeperThan(MAX_JSON_DEPTH, json)) return null
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null) : null
  } catch {
    return null
  }
}
