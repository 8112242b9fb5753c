import { type Client, getIfOffered, post } from './client.ts'
import type { AuthorizeRequest, BodyOf, ConnectedApp } from './contract.ts'

/** Creates the calls about apps that people connect. `app-question` reads what an app asks of a page. */
export function createIdp(client: Client) {
  return {
    /** Returns what a consent page shows about a request of an app. */
    start: (request: AuthorizeRequest) =>
      post<'startAuthorize'>(client, '/idp/oauth/authorize/start', request),
    /** Sends the person's decision. Returns the address that the browser opens next. */
    submit: (request: BodyOf<'submitAuthorize'>) =>
      post<'submitAuthorize'>(client, '/idp/oauth/authorize/submit', request),
    /** Checks where an app wants the browser to go after a sign-out. Signs nobody out. */
    startLogout: (request: BodyOf<'startOAuthLogout'>) =>
      post<'startOAuthLogout'>(client, '/oauth/logout/start', request),
    /** Returns the connected apps; null if this deployment knows none. */
    async apps(): Promise<readonly ConnectedApp[] | null> {
      return (await getIfOffered<'getConnectedApps'>(client, '/users/connected_apps'))?.connected_apps ?? null
    },
    disconnect: (id: string) =>
      post<'revokeConnectedApp'>(client, `/users/connected_apps/${encodeURIComponent(id)}/revoke`),
  }
}
