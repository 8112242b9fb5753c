import { hashSecret, newId, newSecret } from '../crypto/secrets.ts'
import type { Work } from '../work.ts'
import { recordEvent } from './connected-app.repository.ts'
import { endAuthorizationsOfApp } from './end-authorizations.ts'

/** What an operator says about an app. */
export interface AppDetails {
  readonly name: string
  readonly description: string
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly scopes: readonly string[]
  /** Whether it has no secret, because it runs in a browser or on a person's computer. */
  readonly isPublic: boolean
}

/**
 * Registers an app, or changes the one with this id. An app that stays confidential keeps its secret.
 *
 * @param clientId null for a new id
 * @returns its id, and the secret if it is new; the secret is stored as a digest only
 */
export async function saveApp(
  work: Work,
  details: AppDetails,
  clientId: string | null,
): Promise<{ readonly clientId: string; readonly secret: string | null }> {
  const id = clientId ?? newId('connected-app')
  const known = await work.trx
    .selectFrom('connected_app')
    .select('secret_hash')
    .where('client_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const secret = details.isPublic || known?.secret_hash ? null : newSecret()
  const changing = {
    name: details.name,
    description: details.description,
    redirect_uris: [...details.redirectUris],
    post_logout_redirect_uris: [...details.postLogoutRedirectUris],
    scopes: [...details.scopes],
    ...(details.isPublic ? { secret_hash: null } : secret !== null && { secret_hash: hashSecret(secret) }),
  }
  await work.trx
    .insertInto('connected_app')
    .values({ secret_hash: null, ...changing, client_id: id, created_at: work.now, disabled_at: null })
    .onConflict(conflict => conflict.column('client_id').doUpdateSet(changing))
    .execute()
  await recordEvent(work, known === undefined ? 'app_created' : 'app_changed', id, { scopes: details.scopes })
  return { clientId: id, secret }
}

/** Turns an app off, which ends all its tokens, or on again. Returns false if there is no such app. */
export async function turnApp(work: Work, clientId: string, isOn: boolean): Promise<boolean> {
  const row = await work.trx
    .updateTable('connected_app')
    .set({ disabled_at: isOn ? null : work.now })
    .where('client_id', '=', clientId)
    .returning('client_id')
    .executeTakeFirst()
  if (row === undefined) return false
  if (!isOn) await endAuthorizationsOfApp(work, clientId)
  await recordEvent(work, isOn ? 'app_enabled' : 'app_disabled', clientId)
  return true
}

/**
 * Returns what is wrong with an address that an app registers; null if nothing. Allowed are https, http of this
 * computer, and a scheme of the app's own that is a reversed domain (RFC 8252).
 */
export function redirectProblem(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || url.href !== address || address.length > 2_048) {
    return 'must be an address in its normal form, such as https://app.example/callback'
  }
  if (url.hash !== '' || address.endsWith('#')) return 'must have no fragment'
  if (url.username + url.password !== '') return 'must have no name or password'
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:') {
    const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
    return isHere ? null : 'must be https, except on this computer'
  }
  return url.protocol.includes('.') ? null : 'must be https, or a scheme such as com.example.app'
}
