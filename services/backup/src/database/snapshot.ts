import { isRestoreUnfinished } from '@lapwing/db'
import type pg from 'pg'
import { BackupProblem } from '../backup-problem.ts'
import type { Schema } from '../schemas.ts'
import { connect } from './connect.ts'
import { listTables } from './tables.ts'

/** Read-only transactions of all schemas that see the same moment. */
export interface Snapshot {
  readonly takenAt: Date
  /** Version of the server. */
  readonly postgres: string
  client(schema: Schema): pg.Client
  /** Ends the transactions. The lock stays, so that no second backup begins. */
  release(): Promise<void>
  /** Ends everything, whatever runs. */
  close(): Promise<void>
}

/**
 * Opens a snapshot of all schemas. Each one is read with its own service's role, so a backup needs no further rights. The
 * first transaction exports its snapshot and the others import it: they are in one database. Rejects with a sentence if
 * another backup runs, and if a restore has not ended.
 */
export async function openSnapshot(
  databases: ReadonlyMap<Schema, URL>,
  signal: AbortSignal,
): Promise<Snapshot> {
  const clients = new Map<Schema, pg.Client>()
  const close = async () => {
    await Promise.all([...clients.values()].map(client => client.end().catch(() => undefined)))
  }
  // Also ends a statement that runs.
  signal.addEventListener('abort', close, { once: true })
  try {
    for (const [schema, url] of databases) clients.set(schema, await connect(schema, url))
    const [[, first], ...others] = [...clients] as [[Schema, pg.Client], ...[Schema, pg.Client][]]
    const { rows: locks } = await first.query<{ is_mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('lapwing backup')) as is_mine`,
    )
    if (!locks[0]!.is_mine) throw new BackupProblem('Another backup of this database runs.')
    for (const [schema, client] of clients) await beginLocked(client, schema)
    const { rows } = await first.query<{ snapshot: string; taken_at: Date; postgres: string }>(
      `select pg_export_snapshot() as snapshot, now() as taken_at, current_setting('server_version') as postgres`,
    )
    const { snapshot, taken_at: takenAt, postgres } = rows[0]!
    for (const [schema, client] of others) {
      await client.query(`set transaction snapshot ${client.escapeLiteral(snapshot)}`).catch(cause => {
        throw new BackupProblem(
          `The schema ${schema} is in another database than the others. One backup needs one database.`,
          { cause },
        )
      })
    }
    for (const [schema, client] of clients) {
      if (await isRestoreUnfinished(client, schema)) {
        throw new BackupProblem(`A restore of ${schema} has not ended. Finish it, then make a backup.`)
      }
    }
    return {
      takenAt,
      postgres,
      client: schema => clients.get(schema)!,
      async release() {
        await Promise.all([...clients.values()].map(client => client.query('commit')))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Begins a transaction that locks all tables of a schema before it sees anything. A migration that rewrites a table would
 * else leave it empty for an older snapshot.
 */
async function beginLocked(client: pg.Client, schema: Schema): Promise<void> {
  const tables = await listTables(client, schema)
  if (tables.length === 0) throw new BackupProblem(`The schema ${schema} has no tables: nothing to back up.`)
  await client.query('begin isolation level repeatable read read only')
  const names = tables.map(({ name }) => client.escapeIdentifier(name))
  await client.query(`lock table ${names.join(', ')} in access share mode`)
}
