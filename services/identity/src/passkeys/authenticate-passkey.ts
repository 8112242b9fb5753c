import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { readSession, requireSession } from '../sessions/require-session.ts'
import { startSession } from '../sessions/start-session.ts'
import { existingToken, findToken, issueToken, useToken } from '../tokens/token.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import { findPasskey, listCredentials, type Passkey, storeUse } from './passkey.repository.ts'
import { passkeyFactor } from './passkey-factor.ts'
import { challengeOf, invalidCredential, readAssertion } from './read-credential.ts'
import { readRelyingParty } from './relying-party.ts'
import { openChallenge, sealChallenge, useSealedChallenge } from './sealed-challenge.ts'

/** Minutes in which a passkey must answer. A page waits for long while it offers passkeys in a field. */
const CHALLENGE_MINUTES = 60

/** Returns the options that sign in with any passkey of this domain. They name no account. */
export function startWebauthn(deps: Deps): HandlerOf<'startWebauthn'> {
  const { readClient, limits, origins, settings, cipher, now } = deps
  return async request => {
    const client = readClient(request)
    const { id: domain } = readRelyingParty(request.body.domain, settings.allowedOrigins)
    // Browsers that signed in before have a count of their own, beside strangers on their network.
    await limits.countFor('passkey', client, origins.selectAny(client))
    const expiresAt = new Date(now().getTime() + CHALLENGE_MINUTES * 60_000)
    const challenge = sealChallenge(cipher, { domain, expiresAt })
    return answer(request, {
      user_id: '',
      public_key_credential_request_options: await requestOptions(domain, challenge, null),
    })
  }
}

/** Returns the options for a passkey of the signed-in person. The answer counts only in their session. */
export function startWebauthnInSession(deps: Deps): HandlerOf<'startWebauthnInSession'> {
  const { db, change, readClient, limits, origins, settings, now } = deps
  return async request => {
    const client = readClient(request)
    const { id: domain } = readRelyingParty(request.body.domain, settings.allowedOrigins)
    await limits.countFor('passkey', client, origins.selectAny(client))
    const { userId } = await readSession(db, client, now())
    const credentials = await listCredentials(db, userId, domain)
    if (credentials.length === 0) throw new IdentityError('webauthn_registration_not_found')
    const challenge = await change(work =>
      issueToken(work, {
        kind: 'webauthn_login',
        userId,
        data: { domain },
        codeChallenge: undefined,
        minutes: CHALLENGE_MINUTES,
      }),
    )
    return answer(request, {
      user_id: userId,
      public_key_credential_request_options: await requestOptions(
        domain,
        Buffer.from(challenge, 'base64url'),
        credentials,
      ),
    })
  }
}

/** @param credentials the passkeys that can answer; null for every passkey of the domain */
async function requestOptions(
  domain: string,
  challenge: Buffer,
  credentials: Awaited<ReturnType<typeof listCredentials>> | null,
): Promise<string> {
  const options = await generateAuthenticationOptions({
    rpID: domain,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
    // Without a list the browser offers every passkey of the domain.
    ...(credentials !== null && { allowCredentials: [...credentials] }),
  })
  return JSON.stringify(options)
}

/**
 * Signs in with a passkey, or adds it to the person's session. Throws `webauthn_registration_not_found` for
 * an unknown passkey, and `invalid_public_key_credential` for everything else that is wrong.
 */
export function authenticateWebauthn(deps: Deps): HandlerOf<'authenticateWebauthn'> {
  const { db, change, readClient, answerSignIn, limits, settings, cipher, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    const assertion = readAssertion(request.body.public_key_credential)
    const challenge = challengeOf(assertion)
    const sealed = openChallenge(cipher, challenge, now())
    await limits.countToken(
      client,
      sealed === null ? existingToken('webauthn_login', challenge, now()) : sql`select`,
    )
    const { userId: requestedBy, data } =
      sealed === null
        ? await findToken(db, 'webauthn_login', challenge, undefined, now())
        : { userId: null, data: sealed }
    const passkey = await findPasskey(db, assertion.id)
    if (passkey === null) throw new IdentityError('webauthn_registration_not_found')
    const domain = String(data.domain)
    const { userHandle } = assertion.response
    const isTheirs = requestedBy === null ? userHandle !== undefined : requestedBy === passkey.userId
    // The account's own id inside the passkey; one without it works only for a known person.
    const hasHandle = userHandle === undefined || userHandle === passkey.handle
    if (!isTheirs || !hasHandle || passkey.domain !== domain) throw invalidCredential()
    const newCounter = await verify(assertion, challenge, domain, passkey)
    const open = await change(async work => {
      // Every change locks the person first and the token second, so that no two deadlock.
      if (!(await lockActiveUser(work.trx, passkey.userId))) {
        throw new IdentityError('unauthorized_credentials')
      }
      if (sealed === null) await useToken(work, 'webauthn_login', challenge, undefined)
      else await useSealedChallenge(work, challenge, sealed)
      if (requestedBy !== null && (await requireSession(work, client)).userId !== requestedBy) {
        throw invalidCredential()
      }
      if (!(await storeUse(work.trx, passkey, newCounter))) throw invalidCredential()
      return startSession(work, {
        userId: passkey.userId,
        factor: passkeyFactor(passkey),
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
        // Without a request from the session this is a sign-in like any other.
        isStepUp: requestedBy !== null,
      })
    })
    return answerSignIn(request, reply, open, { webauthn_registration_id: passkey.registrationId })
  }

  /** Checks the signature, the page, the domain, the person's PIN or finger, and the count. Returns the count. */
  async function verify(
    assertion: ReturnType<typeof readAssertion>,
    challenge: string,
    domain: string,
    { publicKey, counter }: Passkey,
  ): Promise<number> {
    const { origins } = readRelyingParty(domain, settings.allowedOrigins)
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: assertion,
        expectedChallenge: challenge,
        expectedOrigin: [...origins],
        expectedRPID: domain,
        requireUserVerification: true,
        credential: { id: assertion.id, publicKey, counter },
      })
      if (verified) return authenticationInfo.newCounter
    } catch (cause) {
      throw invalidCredential(cause)
    }
    throw invalidCredential()
  }
}
