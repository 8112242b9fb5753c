import { randomBytes } from 'node:crypto'
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
export async function testDatabase(service: string, ...further: string[]): Promise<SharedTestDatabase> {
  const server = await testServer()
  const name = `test_${service}_${randomBytes(6).toString('hex')}`
  await asOwner(server.url, `create database ${name}`)
  const owner = new URL(server.url)
  owner.pathname = `/${name}`
  // One password for all databases of a server, because they share its roles.
  const password = 'test'
  const roles = [service, ...further].map(service => ({ service, password }))
  await withRetry(() => provision(owner.href, roles))
  const urlOf = (service: string) => serviceUrl(owner.href, { service, password })
  return {
    url: urlOf(service),
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
  const shared = process.env.TEST_DATABASE_URL
  if (shared !== undefined && shared !== '') return { url: shared, stop: async () => {} }
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

async function asOwner(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(statement)
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
