import { watchLevels } from '@lapwing/metrics'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

export interface DbOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** The service's schema; statements name its tables without it. */
  readonly schema: string
  /** Maximum number of connections. Further queries wait, at most `connectWithinMs`. */
  readonly poolSize: number
  readonly connectWithinMs?: number
  /** The server ends a statement that takes longer. */
  readonly statementWithinMs?: number
  /**
   * Plans each statement once for each connection, whatever its parameters. For services whose statements all
   * use a key, so that planning takes longer than running. Use few different texts; values are parameters.
   */
  readonly prepare?: boolean
  /**
   * Called for errors on idle connections, such as a restart of the server. The pool replaces them by itself.
   */
  readonly onIdleError?: (error: Error) => void
}

/**
 * Creates a pool of connections for one service. Parallel plans and JIT are off: with prepared statements
 * they turn a look-up of under a millisecond into one of ten.
 */
export function createDb<Schema>(options: DbOptions): Kysely<Schema> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectWithinMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementWithinMs ?? 10_000,
    // The server ends a transaction that this process left open.
    idle_in_transaction_session_timeout: 30_000,
    application_name: `lapwing-${options.schema}`,
    keepAlive: true,
    options: [
      `-c search_path=${options.schema} -c max_parallel_workers_per_gather=0 -c jit=off`,
      // Tables that were empty at planning time grow later.
      ...(options.prepare ? ['-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'] : []),
    ].join(' '),
  })
  pool.on('error', error => options.onIdleError?.(error))
  // A connection that is lost during a statement fails the statement. It also emits an error, which would end
  // the process.
  pool.on('connect', client => client.on('error', () => {}))
  if (options.prepare) pool.on('connect', prepareAll)
  watchPool(pool, options)
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

function watchPool(pool: pg.Pool, { schema, poolSize }: DbOptions): void {
  const remove = watchLevels([
    {
      name: 'lapwing_database_pool',
      help: 'Connections to the database that are busy, idle or allowed at most, and queries that wait for one.',
      labels: ['schema', 'state'],
      read() {
        if (pool.ended) {
          remove()
          return []
        }
        const { totalCount, idleCount, waitingCount } = pool
        const values = {
          busy: totalCount - idleCount,
          idle: idleCount,
          waiting: waitingCount,
          most: poolSize,
        }
        return Object.entries(values).map(([state, value]) => ({ labels: { schema, state }, value }))
      },
    },
  ])
}

/** Gives each statement text of the client a name, under which the server stores its plan. */
function prepareAll(client: pg.PoolClient): void {
  const names = new Map<string, string>()
  const run = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return run(text, values, ...rest)
    const name = names.get(text) ?? (names.size < MAX_PREPARED ? `s${names.size}` : undefined)
    if (name !== undefined) names.set(text, name)
    return run({ name, text, values }, ...rest)
  }) as typeof client.query
}

const MAX_PREPARED = 200

/** Returns true if an insert or update violated a unique index; only the index `constraint`, if given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return constraint === undefined || error.constraint === constraint
}
