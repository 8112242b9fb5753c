import type { Deps, HandlerOf } from '../deps.ts'
import { answer } from '../http/answer.ts'
import { credentialsOf } from '../passwords/password.repository.ts'
import { readEmail } from './email-address.ts'

/**
 * Returns how an address signs in. The protocol's widget needs it, so it reveals whether an account
 * exists. Tries have a rate limit per network.
 */
export function searchUser({ readClient, limits }: Deps): HandlerOf<'searchUser'> {
  return async request => {
    const client = readClient(request)
    const email = readEmail(request.body.email)
    const found = await limits.countFor('search', client, credentialsOf(email.key))
    const userType = found === null ? 'new' : found.hash === null ? 'passwordless' : 'password'
    return answer(request, { userType } as const)
  }
}
