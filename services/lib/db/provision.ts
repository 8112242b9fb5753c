import pg from 'pg'

export interface Provisioned {
  /** Role and schema have the service's name. */
  readonly service: string
  readonly password: string
}

/**
 * Creates one role and one schema for each service, as the database's owner. A role can use only its own
 * schema, so that no service reads another's tables. Safe to repeat.
 */
export async function provision(ownerUrl: string, services: readonly Provisioned[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    // Two runs at the same time would fail on each other's changes. The lock ends with the connection.
    await client.query(`select pg_advisory_lock(hashtext('lapwing provision'))`)
    await client.query('revoke all on schema public from public')
    for (const { service, password } of services) {
      const name = client.escapeIdentifier(service)
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [service])
      const verb = rowCount === 0 ? 'create' : 'alter'
      await client.query(`${verb} role ${name} login password ${client.escapeLiteral(password)}`)
      await client.query(`create schema if not exists ${name} authorization ${name}`)
      const { rows } = await client.query<{ database: string }>('select current_database() as database')
      // The migrator creates its schema "if not exists", which needs the right to create one.
      await client.query(
        `grant connect, create on database ${client.escapeIdentifier(rows[0]!.database)} to ${name}`,
      )
    }
  } finally {
    await client.end()
  }
}

/** Returns the URL for a service: the owner's, with the service's own role. */
export function serviceUrl(ownerUrl: string, { service, password }: Provisioned): string {
  const url = new URL(ownerUrl)
  url.username = service
  url.password = password
  return url.href
}
