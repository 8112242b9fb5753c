import pg from 'pg'
import { BackupProblem } from '../backup-problem.ts'
import type { Schema } from '../schemas.ts'

/**
 * Connects to a schema with its service's role. Values look the same on every server, and no statement has a limit of
 * time: the whole command has one. Rejects with a sentence if the database cannot be reached.
 */
export async function connect(schema: Schema, url: URL): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url.href,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: APPLICATION,
    options: [
      `-c search_path=${schema} -c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c bytea_output=hex`,
      '-c extra_float_digits=1 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=30s',
    ].join(' '),
  })
  // A lost connection fails its statement. The event alone would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const { message, code } = error as { readonly message?: string; readonly code?: string }
    throw new BackupProblem(`The database of ${schema} cannot be used: ${message || code}`, { cause: error })
  }
}

export const APPLICATION = 'lapwing-backup'
