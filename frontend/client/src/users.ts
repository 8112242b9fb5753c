import { type Client, post } from './client.ts'
import type { BodyOf, DataOf } from './contract.ts'

/** Creates the calls about the account, and about the ways into it. */
export function createUsers(client: Client) {
  const remove = (kind: string) => (id: string) =>
    client.call<DataOf<'deleteEmail'>>('DELETE', `/users/${kind}/${encodeURIComponent(id)}`)
  return {
    /** Returns the account with all ways into it. */
    get: () => client.call<DataOf<'getMe'>>('GET', '/users/me'),
    update: (body: BodyOf<'updateMe'>) => client.call<DataOf<'updateMe'>>('PUT', '/users/me', body),
    /** Returns whether an address is new, or how it signs in. */
    search: (body: BodyOf<'searchUser'>) => post<'searchUser'>(client, '/users/search', body),
    removeEmail: remove('emails'),
    removePhone: remove('phone_numbers'),
    removeTotp: remove('totps'),
    removeWallet: remove('crypto_wallets'),
    removeSocialAccount: remove('oauth'),
    removePasskey: remove('webauthn_registrations'),
    removeBiometric: remove('biometric_registrations'),
  }
}
