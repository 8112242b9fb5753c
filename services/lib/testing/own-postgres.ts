import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provision, serviceUrl } from '@lapwing/db'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import type { TestDatabase } from './test-database.ts'

/** A Postgres that a test may kill, and start again on its old data and port. */
export interface OwnPostgres {
  /** The service's database; dropping it ends the server. */
  readonly database: TestDatabase
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts a Postgres of its own. Unlike in the shared one, committed data survives the end of its process. */
export async function ownPostgres(t: { after(fn: () => void): void }, service: string): Promise<OwnPostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-own-postgres-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  let running = await startPostgres({ dir, withoutSync: true })
  const { url: ownerUrl, port } = running
  const role = { service, password: 'test' }
  await provision(ownerUrl, [role])
  return {
    database: { url: serviceUrl(ownerUrl, role), ownerUrl, drop: () => running.kill() },
    kill: () => running.kill(),
    async start() {
      for (let isUp = false; !isUp; ) {
        try {
          running = await startPostgres({ dir, port, withoutSync: true })
          isUp = true
        } catch (error) {
          // Child processes of the killed server need a moment to end.
          if (!/still in use|already exists/.test(String(error))) throw error
        }
      }
    },
  }
}
