import { newId } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import type { Work } from '../work.ts'

/** An app that an operator has registered. */
export interface ConnectedApp {
  readonly clientId: string
  readonly name: string
  readonly description: string
  /** Null for a public app, which cannot keep a secret: one in a browser or on a person's computer. */
  readonly secretHash: Buffer | null
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly scopes: readonly string[]
}

/** Returns the app; null if it is unknown or turned off. */
export async function findApp(db: Db | Trx, clientId: string): Promise<ConnectedApp | null> {
  return (await selectApp(db, clientId).executeTakeFirst()) ?? null
}

/** Does the same as `findApp`. An operator who turns the app off waits until the change is over. */
export async function lockApp({ trx }: Work, clientId: string): Promise<ConnectedApp | null> {
  return (await selectApp(trx, clientId).forShare().executeTakeFirst()) ?? null
}

function selectApp(db: Db | Trx, clientId: string) {
  return db
    .selectFrom('connected_app')
    .select([
      'client_id as clientId',
      'name',
      'description',
      'secret_hash as secretHash',
      'redirect_uris as redirectUris',
      'post_logout_redirect_uris as postLogoutRedirectUris',
      'scopes',
    ])
    .where('client_id', '=', clientId)
    .where('disabled_at', 'is', null)
}

/** The protocol's names for the two types of apps. */
export function clientType({ secretHash }: Pick<ConnectedApp, 'secretHash'>) {
  return secretHash === null ? 'third_party_public' : 'third_party'
}

/** What is recorded for the operator. */
export type AppEventKind =
  | 'app_created'
  | 'app_changed'
  | 'app_disabled'
  | 'app_enabled'
  | 'consent_given'
  | 'consent_withdrawn'
  | 'code_reused'
  | 'refresh_token_reused'
  | 'token_revoked'

/** Records an event as part of the change. */
export async function recordEvent(
  { trx, now }: Work,
  kind: AppEventKind,
  clientId: string,
  {
    userId = null,
    scopes = [],
  }: { readonly userId?: string | null; readonly scopes?: readonly string[] } = {},
): Promise<void> {
  await trx
    .insertInto('app_event')
    .values({
      event_id: newId('app-event'),
      happened_at: now,
      kind,
      client_id: clientId,
      user_id: userId,
      scopes: [...scopes],
    })
    .execute()
}

/** Returns the scopes that a person has granted to an app; null if it is not connected. */
export async function findConsent(
  db: Db | Trx,
  userId: string,
  clientId: string,
): Promise<readonly string[] | null> {
  const row = await db
    .selectFrom('consent_grant')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row?.scopes ?? null
}

/** Stores that a person has granted these scopes, beside earlier ones. */
export async function saveConsent(
  work: Work,
  userId: string,
  clientId: string,
  scopes: readonly string[],
): Promise<void> {
  const earlier = (await findConsent(work.trx, userId, clientId)) ?? []
  const changing = { scopes: [...new Set([...earlier, ...scopes])], updated_at: work.now }
  await work.trx
    .insertInto('consent_grant')
    .values({ user_id: userId, client_id: clientId, created_at: work.now, ...changing })
    .onConflict(conflict => conflict.columns(['user_id', 'client_id']).doUpdateSet(changing))
    .execute()
  await recordEvent(work, 'consent_given', clientId, { userId, scopes })
}
