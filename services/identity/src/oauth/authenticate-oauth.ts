import { isUniqueViolation } from '@lapwing/db'
import type { Deps, HandlerOf } from '../deps.ts'
import type { Client } from '../http/client.ts'
import { startSession } from '../sessions/start-session.ts'
import { existingToken, findToken, useToken } from '../tokens/token.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import { attachToAccount } from './attach-to-account.ts'
import { enterByProvider, lockProfile, sourceOf } from './enter-by-provider.ts'
import type { Attachment } from './flow-cookie.ts'
import type { ProviderName } from './providers.ts'
import type { Profile } from './read-profile.ts'

/** What `finish-oauth.ts` stores with the token. */
interface TokenData {
  readonly provider: ProviderName
  readonly profile: Profile
  readonly attachment?: Attachment
}

type Body = Parameters<HandlerOf<'authenticateOAuth'>>[0]['body']

/**
 * Signs in with the token that the page received after a round trip to a provider. If the round trip began with
 * a token of `attachOAuth`, adds the provider's account to the account of the session instead.
 */
export function authenticateOAuth(deps: Deps): HandlerOf<'authenticateOAuth'> {
  const { change, readClient, answerSignIn, limits, settings, enqueueMail, mailSender, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    await limits.countToken(client, existingToken('oauth', request.body.token, now()))
    // The second try follows another request that has just added the address. Now the account is known.
    const { open, registrationId, provider, profile } = await enter(request.body, client).catch(error => {
      if (!isUniqueViolation(error, 'email_address_key')) throw error
      return enter(request.body, client)
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {
      provider_type: provider,
      provider_subject: profile.subject,
      profile_picture_url: profile.pictureUrl,
      locale: profile.locale,
      oauth_user_registration_id: registrationId,
      reset_sessions: false,
      // The provider's tokens are not stored.
      provider_values: { access_token: '', id_token: '', refresh_token: '', scopes: [], expires_at: null },
    })
  }

  function enter(body: Body, client: Client) {
    return change(async work => {
      const found = await findToken(work.trx, 'oauth', body.token, body.code_verifier, work.now)
      const { provider, profile, attachment } = found.data as unknown as TokenData
      const source = sourceOf(provider)
      // Every change locks the person first and the token second, so that no two deadlock.
      await lockProfile(work.trx, source, profile)
      if (found.userId !== null) await lockActiveUser(work.trx, found.userId)
      await useToken(work, 'oauth', body.token, body.code_verifier)
      const entered =
        attachment === undefined
          ? await enterByProvider(work, limits, client, source, profile)
          : await attachToAccount(work, deps, client, attachment, provider, profile)
      const { userId, registrationId, emailId, joinedAddress } = entered
      if (joinedAddress !== null) {
        await enqueueMail(work, 'provider_added', joinedAddress, {
          url: settings.publicOrigin.href,
          provider: source.title,
        })
      }
      const open = await startSession(work, {
        userId,
        factor: {
          type: 'oauth',
          delivery_method: `oauth_${provider}`,
          [`${provider}_oauth_factor`]: {
            id: registrationId,
            ...(emailId !== null && { email_id: emailId }),
            provider_subject: profile.subject,
          },
        },
        minutes: body.session_duration_minutes,
        client,
        limits: settings,
        isStepUp: attachment !== undefined,
      })
      return { open, registrationId, provider, profile }
    })
  }
}
