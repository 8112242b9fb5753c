import { type Client, enter, post, variantOf } from './client.ts'
import type { BodyOf, DataOf, Filled } from './contract.ts'

/** Creates the calls about passkeys. Options and credentials are JSON; `passkey-browser` asks the browser for them. */
export function createPasskeys(client: Client) {
  const defaults = () => ({
    domain: new URL(client.pageOrigin).hostname,
    return_passkey_credential_options: true,
  })
  return {
    startRegistration: (body: Filled<BodyOf<'startWebauthnRegistration'>, 'domain'> = {}) =>
      post<'startWebauthnRegistration'>(client, '/webauthn/register/start', { ...defaults(), ...body }),
    /** Stores the passkey that the browser created. */
    register: (body: BodyOf<'registerWebauthn'>) =>
      enter<'registerWebauthn'>(client, '/webauthn/register', body),
    /** Returns the options for a sign-in, or for a second factor of the signed-in person. */
    start: (body: Filled<BodyOf<'startWebauthn'>, 'domain'> = {}) =>
      post<'startWebauthn'>(client, `/webauthn/authenticate/start/${variantOf(client)}`, {
        ...defaults(),
        ...body,
      }),
    authenticate: (body: BodyOf<'authenticateWebauthn'>) =>
      enter<'authenticateWebauthn'>(client, '/webauthn/authenticate', body),
    rename: (id: string, body: BodyOf<'updateWebauthn'>) =>
      client.call<DataOf<'updateWebauthn'>>('PUT', `/webauthn/update/${encodeURIComponent(id)}`, body),
  }
}
