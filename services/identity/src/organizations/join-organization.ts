import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { notifyOfWay } from '../mail/notify-of-way.ts'
import { requireOwnSession } from '../sessions/require-session.ts'
import { requireComplete } from '../sessions/second-factor.ts'
import { isAllowed } from './auth-method.ts'
import { addMember, hasOwnAddress, lockOrganization, organizationView } from './organization.repository.ts'

/**
 * Makes the person of the session a member. Throws `cannot_join_org_due_to_auth_policy` unless the account has a
 * proved address in a domain of the organization, and the organization allows a factor of this session.
 */
export function joinOrganization(deps: Deps): HandlerOf<'joinOrganization'> {
  const { change, readClient, limits, mailSender } = deps
  return async request => {
    const client = readClient(request)
    await limits.count('factor', client)
    const organization = await change(async work => {
      const { trx } = work
      const found = await lockOrganization(trx, request.params.id)
      const session = await requireOwnSession(work, client)
      await requireComplete(trx, session)
      if (found === null) throw new IdentityError('organization_not_found')
      if (!(await hasOwnAddress(trx, found.organizationId, session.userId))) {
        throw new IdentityError('cannot_join_org_due_to_auth_policy', {
          message: 'Your account has no confirmed email of the organization. Please add it first.',
        })
      }
      if (!session.factors.some(factor => isAllowed(factor, found))) {
        throw new IdentityError('cannot_join_org_due_to_auth_policy')
      }
      if (await addMember(work, found.organizationId, session.userId)) {
        await notifyOfWay(work, deps, session.userId, 'organization_joined')
      }
      return found
    })
    mailSender.wake()
    return answer(request, { organization: organizationView(organization) })
  }
}
