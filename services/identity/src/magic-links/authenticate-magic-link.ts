import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { Deps } from '../deps.ts'
import { startSession } from '../sessions/start-session.ts'
import { tokenError, useToken } from '../tokens/token.ts'
import { enterByEmail } from '../users/enter-by-email.ts'

/** Signs in with the token of a link. Only this POST uses the token up; opening the link does not. */
export function authenticateMagicLink({
  change,
  client,
  answerSession,
  limits,
  settings,
}: Deps): Handlers<operations>['authenticateMagicLink'] {
  return async (request, reply) => {
    const caller = client(request)
    await limits.take('token', caller)
    const { open, methodId } = await change(async work => {
      const token = await useToken(work, 'magic_links', request.body.token, request.body.code_verifier)
      const { userId, address, addressKey, data } = token
      const entered =
        address === null || addressKey === null
          ? null
          : await enterByEmail(work, { address, key: addressKey }, caller, {
              mayCreate: data.may_create === true,
              addTo: data.adds === true ? userId : null,
            })
      if (entered === null) throw tokenError('magic_links')
      const open = await startSession(work, {
        userId: entered.userId,
        factor: {
          type: 'magic_link',
          delivery_method: 'email',
          email_factor: { email_id: entered.emailId, email_address: entered.address },
        },
        minutes: request.body.session_duration_minutes,
        client: caller,
        limits: settings,
      })
      return { open, methodId: entered.emailId }
    })
    return answerSession(request, reply, open, { method_id: methodId })
  }
}
