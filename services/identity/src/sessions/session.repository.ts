import { type RawBuilder, sql } from 'kysely'
import { hashSecret } from '../crypto/secrets.ts'
import type { Db, SessionFactor, Trx } from '../database.ts'
import { readUser, selectUser, toUser, type User, type UserRow } from '../users/user.ts'
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

/** Returns the session of a token; null if the token is unknown or the session has ended. */
export async function findSession(db: Db | Trx, token: string, now: Date): Promise<Session | null> {
  return (await selectSession(db, token, now).executeTakeFirst()) ?? null
}

/** Does the same as `findSession`, and locks the session until the change is over. */
export async function lockSession({ trx, now }: Work, token: string): Promise<Session | null> {
  return (await selectSession(trx, token, now).forUpdate().executeTakeFirst()) ?? null
}

/** Selects explicit columns: a prepared `select *` fails after a migration adds a column. */
function selectSession(db: Db | Trx, token: string, now: Date) {
  return db
    .selectFrom('session')
    .select([
      'session_id as sessionId',
      'user_id as userId',
      'started_at as startedAt',
      'last_accessed_at as lastAccessedAt',
      'expires_at as expiresAt',
      'jwt_expires_at as jwtExpiresAt',
      'ip_address as ipAddress',
      'user_agent as userAgent',
      'factors',
    ])
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', now)
}

/** A condition of writing a session, checked in the same statement. */
export interface SessionCondition {
  /** Selects a row with the person's `roles` and `has_totp` if the session can be written. */
  readonly guard: RawBuilder<unknown>
  /** `delete` statements with a `where`, run in this order if the guard selects a row. */
  readonly clear?: readonly RawBuilder<unknown>[]
}

/**
 * Writes a new or changed session with a token, which replaces its old one. Returns the account, read in
 * the same statement, because every answer with a session shows both. Returns null and writes nothing if
 * the guard selects no row.
 */
export async function saveSession(
  db: Db | Trx,
  session: Session,
  token: string,
  condition?: SessionCondition,
): Promise<User | null> {
  const holds = sql`exists (select from guard)`
  // Each statement depends on the one before, so that rows are locked in the usual order.
  const clearing = (condition?.clear ?? []).map((clear, index) => {
    const name = sql.ref(`cleared_${index}`)
    const before =
      index === 0 ? sql`true` : sql`(select count(*) from ${sql.ref(`cleared_${index - 1}`)}) >= 0`
    return sql`, ${name} as (${clear} and ${holds} and ${before} returning 1)`
  })
  // The guard can wait for a change of roles or of the app. Only its own row shows the new ones.
  const { rows } = await sql<UserRow & HeldPerson>`
    with guard as (${condition?.guard ?? sql`select null::text[] as roles, null::boolean as has_totp`})${sql.join(clearing, sql``)}, saved as (
      insert into session (session_id, user_id, token_hash, started_at, last_accessed_at, expires_at,
        jwt_expires_at, ip_address, user_agent, factors)
      select ${session.sessionId}, ${session.userId}, ${hashSecret(token)}, ${session.startedAt},
        ${session.lastAccessedAt}, ${session.expiresAt}, ${session.jwtExpiresAt}, ${session.ipAddress},
        ${session.userAgent}, ${JSON.stringify(session.factors)}
      from guard
      on conflict (session_id) do update set token_hash = excluded.token_hash,
        last_accessed_at = excluded.last_accessed_at, expires_at = excluded.expires_at,
        jwt_expires_at = excluded.jwt_expires_at, factors = excluded.factors)
    select shown.*, (select roles from guard) as held_roles, (select has_totp from guard) as held_totp
    from (${selectUser(session.userId)}) as shown where ${holds}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const user = toUser({ ...row, roles: row.held_roles ?? row.roles })
  const hasTotp = user.totps.some(({ verified }) => verified)
  // Read again in the rare case that the app changed meanwhile: it decides what the session may do.
  return row.held_totp === null || row.held_totp === hasTotp ? user : readUser(db, session.userId)
}

/** The person's row as the guard locked it; null without a guard. */
interface HeldPerson {
  readonly held_roles: string[] | null
  readonly held_totp: boolean | null
}

/** Ends one session. */
export async function endSession(work: Work, sessionId: string): Promise<void> {
  const rows = await work.trx
    .deleteFrom('session')
    .where('session_id', '=', sessionId)
    .returning(['session_id', 'jwt_expires_at'])
    .execute()
  await recordEnded(work, rows)
}

/** Ends every session of a person, except `exceptSessionId` if given. */
export async function endSessionsOf(work: Work, userId: string, exceptSessionId?: string): Promise<void> {
  let query = work.trx.deleteFrom('session').where('user_id', '=', userId)
  if (exceptSessionId !== undefined) query = query.where('session_id', '!=', exceptSessionId)
  await recordEnded(work, await query.returning(['session_id', 'jwt_expires_at']).execute())
}

/**
 * Records ended sessions with unexpired JWTs, in the database and in the change. Authorizations of connected apps
 * are recorded as sessions, too: the gateway refuses tokens of both by their id.
 */
export async function recordEnded(
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
