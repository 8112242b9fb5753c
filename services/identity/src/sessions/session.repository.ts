import { type Selectable, sql } from 'kysely'
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
    .selectAll()
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? null : toSession(row)
}

/** As `findSession`, held until the change is over. */
export async function lockSession({ trx, now }: Work, token: string): Promise<Session | null> {
  const row = await trx
    .selectFrom('session')
    .selectAll()
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toSession(row)
}

/**
 * Writes a session, new or changed, under a token that from now on is its only one. Answers its person,
 * read in the same statement: every answer with a session shows both.
 */
export async function saveSession({ trx }: Work, session: Session, token: string): Promise<User> {
  const changing = {
    token_hash: hashSecret(token),
    last_accessed_at: session.lastAccessedAt,
    expires_at: session.expiresAt,
    jwt_expires_at: session.jwtExpiresAt,
    factors: JSON.stringify(session.factors),
  }
  const saving = trx
    .insertInto('session')
    .values({
      session_id: session.sessionId,
      user_id: session.userId,
      started_at: session.startedAt,
      ip_address: session.ipAddress,
      user_agent: session.userAgent,
      ...changing,
    })
    .onConflict(conflict => conflict.column('session_id').doUpdateSet(changing))
  const { rows } = await sql<UserRow>`with saved as (${saving}) ${selectUser(session.userId)}`.execute(trx)
  return toUser(rows[0]!)
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

type SelectedSession = Selectable<Database['session']>
