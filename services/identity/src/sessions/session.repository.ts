import { type RawBuilder, type Selectable, sql } from 'kysely'
import { hashSecret } from '../crypto/secrets.ts'
import type { Database, Db, SessionFactor, Trx } from '../database.ts'
import { selectUser, toUser, type User, type UserRow } from '../users/user.ts'
import type { Work } from '../work.ts'

export interface Session {
  readonly sessionId: string
  readonly userId: string
  readonly startedAt: Date
  readonly lastAccessedAt: Date
  readonly expiresAt: Date
  readonly jwtExpiresAt: Date
  readonly ipAddress: string
  readonly userAgent: string
  readonly factors: readonly SessionFactor[]
}

/** The session that this token opens now; null for an ended, expired or unknown one. */
export async function findSession(db: Db | Trx, token: string, now: Date): Promise<Session | null> {
  const row = await db
    .selectFrom('session')
    .select(COLUMNS)
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? null : toSession(row)
}

/** As `findSession`, held until the change is over. */
export async function lockSession({ trx, now }: Work, token: string): Promise<Session | null> {
  const row = await trx
    .selectFrom('session')
    .select(COLUMNS)
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toSession(row)
}

/** What a session hangs on, done in the statement that writes it. */
export interface SessionCondition {
  /** Selects a row, with the `roles` of the person, if the session may be written. */
  readonly guard: RawBuilder<unknown>
  /** Each a `delete` with a `where`, made in this order if the guard holds. */
  readonly clear?: readonly RawBuilder<unknown>[]
}

/**
 * Writes a session, new or changed, under a token that from now on is its only one. Answers its person,
 * read in the same statement since every answer with a session shows both; null where the condition
 * does not hold, and nothing was written.
 */
export async function saveSession(
  db: Db | Trx,
  session: Session,
  token: string,
  condition?: SessionCondition,
): Promise<User | null> {
  const holds = sql`exists (select from guard)`
  // Each waits for the one before: their rows are held in the order in which others hold them.
  const clearing = (condition?.clear ?? []).map((clear, index) => {
    const name = sql.ref(`cleared_${index}`)
    const before =
      index === 0 ? sql`true` : sql`(select count(*) from ${sql.ref(`cleared_${index - 1}`)}) >= 0`
    return sql`, ${name} as (${clear} and ${holds} and ${before} returning 1)`
  })
  // The guard may have waited for a change of the roles, which the rest of the statement does not see.
  const { rows } = await sql<UserRow & { readonly held_roles: string[] | null }>`
    with guard as (${condition?.guard ?? sql`select null::text[] as roles`})${sql.join(clearing, sql``)}, saved as (
      insert into session (session_id, user_id, token_hash, started_at, last_accessed_at, expires_at,
        jwt_expires_at, ip_address, user_agent, factors)
      select ${session.sessionId}, ${session.userId}, ${hashSecret(token)}, ${session.startedAt},
        ${session.lastAccessedAt}, ${session.expiresAt}, ${session.jwtExpiresAt}, ${session.ipAddress},
        ${session.userAgent}, ${JSON.stringify(session.factors)}
      from guard
      on conflict (session_id) do update set token_hash = excluded.token_hash,
        last_accessed_at = excluded.last_accessed_at, expires_at = excluded.expires_at,
        jwt_expires_at = excluded.jwt_expires_at, factors = excluded.factors)
    select shown.*, (select roles from guard) as held_roles
    from (${selectUser(session.userId)}) as shown where ${holds}`.execute(db)
  const [row] = rows
  return row === undefined ? null : toUser({ ...row, roles: row.held_roles ?? row.roles })
}

export async function endSession(work: Work, sessionId: string): Promise<void> {
  const rows = await work.trx
    .deleteFrom('session')
    .where('session_id', '=', sessionId)
    .returning(['session_id', 'jwt_expires_at'])
    .execute()
  await remember(work, rows)
}

/** Ends every session of a person but, where one is given, that one. */
export async function endSessionsOf(work: Work, userId: string, keptSessionId?: string): Promise<void> {
  let query = work.trx.deleteFrom('session').where('user_id', '=', userId)
  if (keptSessionId !== undefined) query = query.where('session_id', '!=', keptSessionId)
  await remember(work, await query.returning(['session_id', 'jwt_expires_at']).execute())
}

async function remember(
  { trx, now, ended }: Work,
  rows: readonly { session_id: string; jwt_expires_at: Date }[],
): Promise<void> {
  const live = rows.filter(row => row.jwt_expires_at > now)
  if (live.length === 0) return
  await trx
    .insertInto('revoked_session')
    .values(live.map(row => ({ ...row, revoked_at: now })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
  for (const row of live) ended.push({ sessionId: row.session_id, jwtExpiresAt: row.jwt_expires_at })
}

/** Named, here as elsewhere: statements are prepared, and a prepared `*` fails once a migration adds a column. */
const COLUMNS = [
  'session_id',
  'user_id',
  'started_at',
  'last_accessed_at',
  'expires_at',
  'jwt_expires_at',
  'ip_address',
  'user_agent',
  'factors',
] as const

function toSession(row: SelectedSession): Session {
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    startedAt: row.started_at,
    lastAccessedAt: row.last_accessed_at,
    expiresAt: row.expires_at,
    jwtExpiresAt: row.jwt_expires_at,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    factors: row.factors,
  }
}

type SelectedSession = Pick<Selectable<Database['session']>, (typeof COLUMNS)[number]>
