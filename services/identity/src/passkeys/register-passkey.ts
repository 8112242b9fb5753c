import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { newId } from '../crypto/secrets.ts'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { notifyOfWay } from '../mail/notify-of-way.ts'
import { readSession, requireOwnSession } from '../sessions/require-session.ts'
import { requireComplete } from '../sessions/second-factor.ts'
import { startSession } from '../sessions/start-session.ts'
import { findToken, issueToken, useToken } from '../tokens/token.ts'
import { readUser } from '../users/user.ts'
import { countPasskeys, handleOf, insertPasskey, listCredentials } from './passkey.repository.ts'
import { passkeyFactor } from './passkey-factor.ts'
import { challengeOf, invalidCredential, readNewCredential } from './read-credential.ts'
import { readRelyingParty } from './relying-party.ts'

/** Passkeys of one account. */
const MAX_PASSKEYS = 50
/** Minutes in which the browser must create the passkey. */
const CHALLENGE_MINUTES = 10
/** Ed25519, ES256 and RS256 as COSE numbers: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]

/** Returns the options with which the browser creates a passkey for the signed-in person. */
export function startWebauthnRegistration(deps: Deps): HandlerOf<'startWebauthnRegistration'> {
  const { change, readClient, limits, settings } = deps
  return async request => {
    const client = readClient(request)
    const { body } = request
    const { id: domain } = readRelyingParty(body.domain, settings.allowedOrigins)
    await limits.count('factor', client)
    const { user, options } = await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireComplete(work, session)
      const { userId } = session
      await requireRoom(work.trx, userId)
      const user = (await readUser(work.trx, userId))!
      const name = user.emails[0]?.email ?? user.providers[0]?.provider_type ?? 'account'
      const challenge = await issueToken(work, {
        kind: 'webauthn_register',
        userId,
        data: { domain, userAgent: (body.user_agent || client.userAgent).slice(0, 512).replaceAll('\0', '') },
        codeChallenge: undefined,
        minutes: CHALLENGE_MINUTES,
      })
      const options = await generateRegistrationOptions({
        rpName: settings.projectName,
        rpID: domain,
        userID: new Uint8Array(Buffer.from(await handleOf(work.trx, userId), 'base64url')),
        userName: body.override_name || name,
        userDisplayName: body.override_display_name || name,
        challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
        timeout: CHALLENGE_MINUTES * 60_000,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: await listCredentials(work.trx, userId, domain),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
          ...(body.authenticator_type && { authenticatorAttachment: body.authenticator_type }),
        },
      })
      return { user, options }
    })
    return answer(request, {
      user_id: user.user_id,
      public_key_credential_creation_options: JSON.stringify(options),
    })
  }
}

/** Stores the passkey that the browser created, and adds it to the session. */
export function registerWebauthn(deps: Deps): HandlerOf<'registerWebauthn'> {
  const { db, change, readClient, answerSignIn, limits, settings, mailSender, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    await limits.count('factor', client)
    const credential = readNewCredential(request.body.public_key_credential)
    const challenge = challengeOf(credential)
    const { userId } = await readSession(db, client, now())
    const token = await findToken(db, 'webauthn_register', challenge, undefined, now())
    // A challenge counts only for its person, also in a browser that several persons use.
    if (token.userId !== userId) throw invalidCredential()
    const { domain, userAgent } = token.data as { readonly domain: string; readonly userAgent: string }
    const { credential: created } = await verify(credential, challenge, domain)
    const registrationId = newId('webauthn-registration')
    const open = await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireComplete(work, session)
      await useToken(work, 'webauthn_register', challenge, undefined)
      const count = await requireRoom(work.trx, userId)
      const isNew = await insertPasskey(work, {
        registrationId,
        userId,
        credentialId: created.id,
        publicKey: created.publicKey,
        counter: created.counter,
        transports: readTransports(credential.response.transports),
        domain,
        authenticatorType: credential.authenticatorAttachment === 'platform' ? 'platform' : 'cross-platform',
        userAgent,
        name: `Passkey ${count + 1}`,
      })
      if (!isNew) throw invalidCredential()
      await notifyOfWay(work, deps, userId, 'passkey_added')
      return startSession(work, {
        userId,
        factor: passkeyFactor({ registrationId, domain, userAgent }),
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
        isStepUp: true,
      })
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, { webauthn_registration_id: registrationId })
  }

  async function verify(credential: ReturnType<typeof readNewCredential>, challenge: string, domain: string) {
    const { origins } = readRelyingParty(domain, settings.allowedOrigins)
    try {
      refuseCertificates(credential.response.attestationObject)
      const { registrationInfo } = await verifyRegistrationResponse({
        response: credential,
        expectedChallenge: challenge,
        expectedOrigin: [...origins],
        expectedRPID: domain,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      })
      // The library compares neither these ids nor their length. Only the outer one has a limit.
      if (registrationInfo?.credential.id === credential.id) return registrationInfo
    } catch (cause) {
      throw invalidCredential(cause)
    }
    throw invalidCredential()
  }
}

/** Throws `too_many_user_registrations_for_domain` without room for another passkey. Returns their number. */
async function requireRoom(trx: Parameters<typeof countPasskeys>[0], userId: string): Promise<number> {
  const count = await countPasskeys(trx, userId)
  if (count >= MAX_PASSKEYS) throw new IdentityError('too_many_user_registrations_for_domain')
  return count
}

/**
 * Throws if the attestation has certificates. Lapwing asks for none, and checking them would load
 * revocation lists from addresses that the client chose.
 */
function refuseCertificates(attestationObject: string): void {
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  const isPlain = format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'))
  if (!isPlain) throw new Error(`an attestation of format ${format} with certificates`)
}

/** Returns how the browser reaches the authenticator; only a hint for later requests. */
function readTransports(transports: unknown): readonly string[] {
  const names = Array.isArray(transports) ? transports.slice(0, 10) : []
  return names.filter(name => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name))
}
