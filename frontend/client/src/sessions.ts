import { type Client, enter, getIfOffered, post } from './client.ts'
import type { BodyOf, ListedSession } from './contract.ts'

/** Creates the calls about sessions. */
export function createSessions(client: Client) {
  return {
    /** Confirms the session. It lasts longer only if the body says so. */
    authenticate: (body: BodyOf<'authenticateSession'> = {}) =>
      post<'authenticateSession'>(client, '/sessions/authenticate', body),
    revoke: () => post<'revokeSession'>(client, '/sessions/revoke'),
    /** Exchanges the access token of a connected app for a session. */
    exchangeAccessToken: (body: BodyOf<'exchangeAccessToken'>) =>
      enter<'exchangeAccessToken'>(client, '/sessions/exchange_access_token', body),
    /** Exchanges the token of a trusted issuer for a session. */
    attest: (body: BodyOf<'attestSession'>) => enter<'attestSession'>(client, '/sessions/attest', body),
    /** Opens the account that an operator chose, by the token of the operator's link. */
    impersonate: (body: BodyOf<'authenticateImpersonation'>) =>
      post<'authenticateImpersonation'>(client, '/impersonation/authenticate', body),
    /** Returns the sessions of the account; null if this deployment does not list them. */
    async list(): Promise<readonly ListedSession[] | null> {
      return (await getIfOffered<'getSessions'>(client, '/users/sessions'))?.sessions ?? null
    },
    /** Ends every session of the account but this one. */
    revokeOthers: () => post<'revokeOtherSessions'>(client, '/users/sessions/revoke_others'),
  }
}
