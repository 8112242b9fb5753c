import pg from 'pg'

/** What a database did since its start. */
export interface DatabaseTotals {
  /** Statements of each role. */
  readonly statements: Readonly<Record<string, number>>
  /** Size of the database. */
  readonly bytes: number
}

export interface StatementCounter {
  readonly read: () => Promise<DatabaseTotals>
  readonly close: () => Promise<void>
}

/** Creates the extension that counts. The server must have loaded it (`countsStatements`). */
export async function countStatements(ownerUrl: string): Promise<StatementCounter> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  })
  await client.connect()
  await client.query('create extension if not exists pg_stat_statements')
  return {
    async read() {
      const { rows } = await client.query<{ role: string; calls: string }>(
        `select rolname as role, sum(calls) as calls from pg_stat_statements join pg_roles on oid = userid
         where rolname <> current_user group by rolname`,
      )
      const size = await client.query<{ bytes: string }>(
        'select pg_database_size(current_database()) as bytes',
      )
      return {
        statements: Object.fromEntries(rows.map(({ role, calls }) => [role, Number(calls)])),
        bytes: Number(size.rows[0]!.bytes),
      }
    },
    close: () => client.end(),
  }
}
