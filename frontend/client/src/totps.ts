import { type Client, enter, post } from './client.ts'
import type { BodyOf } from './contract.ts'

/**
 * Creates the calls about authenticator apps and recovery codes. `token` is that of a session which the page has
 * not adopted, because it lacks this factor; the page's own session if left out.
 */
export function createTotps(client: Client) {
  return {
    /** Creates an app, which counts after its first code. */
    create: (body: BodyOf<'createTotp'> = {}, token?: string | null) =>
      post<'createTotp'>(client, '/totps', { expiration_minutes: 60, ...body }, token),
    /** Adds a code of the app to the session. */
    authenticate: (body: BodyOf<'authenticateTotp'>, token?: string | null) =>
      enter<'authenticateTotp'>(client, '/totps/authenticate', body, token),
    /** Does the same with a recovery code. */
    recover: (body: BodyOf<'recoverTotp'>, token?: string | null) =>
      enter<'recoverTotp'>(client, '/totps/recover', body, token),
    /** Returns the unused recovery codes. */
    async recoveryCodes(): Promise<readonly string[]> {
      const { totps } = await post<'getRecoveryCodes'>(client, '/totps/recovery_codes')
      return totps.flatMap(({ recovery_codes }) => recovery_codes)
    },
  }
}
