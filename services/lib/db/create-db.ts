import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

export interface DbOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** The service's schema: its tables are named without it. */
  readonly schema: string
  /** Connections at most; every further query waits, at most `connectWithinMs`. */
  readonly poolSize: number
  readonly connectWithinMs?: number
  /** A statement that takes longer is ended by the server. */
  readonly statementWithinMs?: number
  /** Told of errors on idle connections, such as a restart of the server; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void
}

/**
 * A pool of connections for one service. Parallel plans and JIT are off: with a prepared statement
 * they turn a lookup of a fraction of a millisecond into one of ten.
 */
export function createDb<Schema>(options: DbOptions): Kysely<Schema> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectWithinMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementWithinMs ?? 10_000,
    // The server ends a transaction that this process forgot.
    idle_in_transaction_session_timeout: 30_000,
    application_name: `lapwing-${options.schema}`,
    keepAlive: true,
    options: `-c search_path=${options.schema} -c max_parallel_workers_per_gather=0 -c jit=off`,
  })
  pool.on('error', error => options.onIdleError?.(error))
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

/** Whether an insert or update failed because of a unique index, of that name where one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return constraint === undefined || error.constraint === constraint
}
