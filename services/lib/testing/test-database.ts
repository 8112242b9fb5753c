import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provision, serviceUrl } from '@lapwing/db'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import pg from 'pg'

export interface TestDatabase {
  /** URL for the service's own role. */
  readonly url: string
  readonly ownerUrl: string
  drop(): Promise<void>
}

/** A database that several services share, as in production; `url` is for the first of them. */
export interface SharedTestDatabase extends TestDatabase {
  readonly urlOf: (service: string) => string
}

/**
 * Creates an empty database on a real Postgres, with the role and the schema of each service. Uses the server
 * of `TEST_DATABASE_URL` if the test run started one, else starts one for this file.
 */
export function testDatabase(service: string, ...further: string[]): Promise<SharedTestDatabase> {
  return createDatabase([service, ...further])
}

/**
 * Creates a database as `prepare` leaves one. On the server of the test run, `prepare` runs once for each `what`,
 * and each further database is a copy: that takes less CPU than to create the tables again.
 *
 * @param what names the services and what `prepare` does
 */
export async function preparedDatabase(
  what: string,
  services: readonly string[],
  prepare: (database: SharedTestDatabase) => Promise<void>,
): Promise<SharedTestDatabase> {
  const shared = sharedServer()
  const create = async () => {
    const database = await createDatabase(services)
    try {
      await prepare(database)
      return database
    } catch (error) {
      await database.drop()
      throw error
    }
  }
  if (shared === null) return create()
  const template = templates.get(what) ?? createTemplate(shared, what, create)
  templates.set(what, template)
  return createDatabase(services, await template)
}

/** Names of the templates that this process knows. */
const templates = new Map<string, Promise<string>>()

async function createTemplate(
  serverUrl: string,
  what: string,
  create: () => Promise<TestDatabase>,
): Promise<string> {
  const template = `template_${createHash('sha256').update(what).digest('hex').slice(0, 20)}`
  await withOwner(serverUrl, async owner => {
    // Other processes ask at the same time. The lock ends with the connection.
    await owner.query(`select pg_advisory_lock(hashtext('${template}'))`)
    const { rowCount } = await owner.query('select from pg_database where datname = $1', [template])
    if (rowCount !== 0) return
    const { ownerUrl } = await create()
    // Only a complete database gets the name.
    await owner.query(`alter database ${new URL(ownerUrl).pathname.slice(1)} rename to ${template}`)
  })
  return template
}

async function createDatabase(services: readonly string[], template?: string): Promise<SharedTestDatabase> {
  const server = await testServer()
  const name = `test_${services[0]}_${randomBytes(6).toString('hex')}`
  await asOwner(server.url, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  const owner = new URL(server.url)
  owner.pathname = `/${name}`
  // One password for all databases of a server, because they share its roles.
  const password = 'test'
  const roles = services.map(service => ({ service, password }))
  await withRetry(() => provision(owner.href, roles))
  const urlOf = (service: string) => serviceUrl(owner.href, { service, password })
  return {
    url: urlOf(services[0]!),
    urlOf,
    ownerUrl: owner.href,
    async drop() {
      await asOwner(server.url, `drop database if exists ${name} with (force)`)
      await server.stop()
    },
  }
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

async function testServer(): Promise<Server> {
  const shared = sharedServer()
  if (shared !== null) return { url: shared, stop: async () => {} }
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-postgres-'))
  const server = await startPostgres({ dir, throwaway: true })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Returns the URL of the server that the test run started; null without one. */
function sharedServer(): string | null {
  return process.env.TEST_DATABASE_URL || null
}

function asOwner(url: string, statement: string): Promise<void> {
  return withOwner(url, async owner => {
    await owner.query(statement)
  })
}

async function withOwner(url: string, work: (owner: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Repeats work that creates a role: if two test files create it at the same moment, Postgres refuses one. */
async function withRetry(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const raced =
        error instanceof pg.DatabaseError && ['23505', 'XX000', '42710'].includes(error.code ?? '')
      if (!raced || attempt === 5) throw error
    }
  }
}
