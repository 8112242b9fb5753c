import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import type { Deps } from '../deps.ts'
import { answer } from '../http/answer.ts'
import { credentialsOf } from '../passwords/password.repository.ts'
import { readEmail } from './email-address.ts'

/**
 * Which way of signing in an address uses. The protocol's widget cannot do without, so it tells who
 * has an account; tries are limited by network address.
 */
export function searchUser({ client, limits }: Deps): Handlers<operations>['searchUser'] {
  return async request => {
    const caller = client(request)
    const email = readEmail(request.body.email)
    const found = await limits.take('search', caller, credentialsOf(email.key))
    const userType = found === null ? 'new' : found.hash === null ? 'passwordless' : 'password'
    return answer(request, { userType } as const)
  }
}
