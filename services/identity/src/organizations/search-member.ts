import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { readEmail } from '../users/email-address.ts'
import { findOrganization } from './organization.repository.ts'

/**
 * Returns the member with a proved address; null without one. Like the search of users, it reveals whether an
 * account exists, so tries have a rate limit per network. It shows no name.
 */
export function searchMember({ db, readClient, limits }: Deps): HandlerOf<'searchMember'> {
  return async request => {
    const client = readClient(request)
    const email = readEmail(request.body.email_address)
    await limits.count('search', client)
    const organization = await findOrganization(db, request.body.organization_id)
    if (organization === null) throw new IdentityError('organization_not_found')
    const member = await db
      .selectFrom('email')
      .innerJoin('organization_member', 'organization_member.user_id', 'email.user_id')
      .leftJoin('password', 'password.user_id', 'email.user_id')
      .select('password.password_id as passwordId')
      .where('email.address_key', '=', email.key)
      .where('email.verified', '=', true)
      .where('organization_member.organization_id', '=', organization.organizationId)
      .executeTakeFirst()
    return answer(request, {
      member: member
        ? { status: 'active' as const, name: '', member_password_id: member.passwordId ?? '' }
        : null,
    })
  }
}
