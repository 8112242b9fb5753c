import { isUniqueViolation } from '@lapwing/db'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { enterByProvider, lockProfile } from '../oauth/enter-by-provider.ts'
import { type OpenSession, startSession } from '../sessions/start-session.ts'
import { useForeignToken } from '../tokens/token.ts'
import { findTrustedProfile, type TrustedProfile } from './trusted-profile.repository.ts'
import { type Attestation, createVerifyAttestation } from './verify-attestation.ts'

/**
 * Signs in with a token of an issuer that the operator trusts. The issuer and its `sub` name the person, like a
 * provider and its account do. A token works once.
 */
export function attestSession(deps: Deps): HandlerOf<'attestSession'> {
  const { db, change, readClient, answerSignIn, limits, settings, enqueueMail, mailSender, now } = deps
  const verify = createVerifyAttestation({ timeoutMs: settings.oauth.timeoutMs, now })
  return async (request, reply) => {
    const client = readClient(request)
    const { profile_id, token, session_duration_minutes: minutes } = request.body
    await limits.count('attest', client)
    const trusted = await findTrustedProfile(db, profile_id)
    if (trusted === null) throw new IdentityError('trusted_token_profile_not_found')
    const attestation = await verify(trusted, token)
    // The second try follows another request that has just added the address. Now the account is known.
    const open = await enter(trusted, attestation, client, minutes).catch(error => {
      if (!isUniqueViolation(error, 'email_address_key')) throw error
      return enter(trusted, attestation, client, minutes)
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {})
  }

  function enter(
    { issuer }: TrustedProfile,
    attestation: Attestation,
    client: Client,
    minutes: number | undefined,
  ): Promise<OpenSession> {
    const source = { type: issuer, title: new URL(issuer).host, tokenKind: 'trusted_token' } as const
    const { profile, tokenId } = attestation
    return change(async work => {
      await lockProfile(work.trx, source, profile)
      await useForeignToken(work, 'trusted_token', { ...attestation, issuer })
      const { userId, joinedAddress } = await enterByProvider(work, limits, client, source, profile)
      if (joinedAddress !== null) {
        await enqueueMail(work, 'provider_added', joinedAddress, {
          url: settings.publicOrigin.href,
          provider: source.title,
        })
      }
      return startSession(work, {
        userId,
        factor: {
          type: 'trusted_auth_token',
          delivery_method: 'trusted_token_exchange',
          trusted_auth_token_factor: { token_id: tokenId },
        },
        minutes,
        client,
        limits: settings,
      })
    })
  }
}
