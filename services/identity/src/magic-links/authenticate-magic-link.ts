import type { Deps, HandlerOf } from '../deps.ts'
import { emailFactor, startSession } from '../sessions/start-session.ts'
import { existingToken, findToken, type Token, tokenError, useToken } from '../tokens/token.ts'
import { enterByEmail, lockAddressAndAccount } from '../users/enter-by-email.ts'

/**
 * Signs in, or adds an address, with the token of a link. Only this POST uses the token up; opening the
 * link does not.
 */
export function authenticateMagicLink(deps: Deps): HandlerOf<'authenticateMagicLink'> {
  const { change, readClient, answerSignIn, limits, settings, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    const { token: secret, code_verifier: verifier } = request.body
    await limits.countToken(client, existingToken('magic_links', secret, now()))
    const { open, methodId } = await change(async work => {
      const found = await findToken(work.trx, 'magic_links', secret, verifier, work.now)
      const adds = (token: Token) => (token.data.adds === true ? token.userId : null)
      if (found.addressKey !== null) await lockAddressAndAccount(work, found.addressKey, adds(found))
      const token = await useToken(work, 'magic_links', secret, verifier)
      const { address, addressKey, data } = token
      const entered =
        address === null || addressKey === null
          ? null
          : await enterByEmail(work, deps, { address, key: addressKey }, client, {
              mayCreate: data.may_create === true,
              addTo: adds(token),
            })
      if (entered === null) throw tokenError('magic_links')
      const open = await startSession(work, {
        userId: entered.userId,
        factor: emailFactor('magic_link', entered),
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
      })
      return { open, methodId: entered.emailId }
    })
    return answerSignIn(request, reply, open, { method_id: methodId })
  }
}
