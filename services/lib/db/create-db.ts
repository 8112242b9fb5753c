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
  /**
   * Plans each statement once a connection, whatever its parameters: for a service whose every
   * statement goes by a key, and is faster run than planned. Texts must be few; values are parameters.
   */
  readonly prepare?: boolean
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
    options: [
      `-c search_path=${options.schema} -c max_parallel_workers_per_gather=0 -c jit=off`,
      // Tables that were empty when the plan was made do not stay so.
      ...(options.prepare ? ['-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'] : []),
    ].join(' '),
  })
  pool.on('error', error => options.onIdleError?.(error))
  // A connection that is lost in use fails its statement. It says so once more, which would end the process.
  pool.on('connect', client => client.on('error', () => {}))
  if (options.prepare) pool.on('connect', prepareAll)
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

/** Gives each text that the client is asked to run a name of its own, under which the server keeps its plan. */
function prepareAll(client: pg.PoolClient): void {
  const names = new Map<string, string>()
  const run = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return run(text, values, ...rest)
    const name = names.get(text) ?? (names.size < MOST_PREPARED ? `s${names.size}` : undefined)
    if (name !== undefined) names.set(text, name)
    return run({ name, text, values }, ...rest)
  }) as typeof client.query
}

const MOST_PREPARED = 200

/** Whether an insert or update failed because of a unique index, of that name where one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return constraint === undefined || error.constraint === constraint
}
