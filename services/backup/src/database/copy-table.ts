import { createReadStream, createWriteStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { BackupProblem } from '../backup-problem.ts'
import type { Content, TableFacts } from '../manifest.ts'
import { createMeter } from '../meter.ts'
import type { Table } from './tables.ts'

/** Writes the rows of a table to a file, as `COPY` writes them, compressed. */
export async function dumpTable(
  client: pg.Client,
  { name, columns }: Table,
  file: string,
  signal: AbortSignal,
): Promise<TableFacts> {
  const rows = client.query(
    copyTo(`copy (select ${listed(client, columns)} from ${client.escapeIdentifier(name)}) to stdout`),
  )
  const meter = createMeter()
  await pipeline(rows, meter, createGzip({ level: 1 }), createWriteStream(file, NEW_FILE), { signal })
  return { name, columns, rows: rows.rowCount!, ...meter.content() }
}

/** Writes the only column of a query to a file, one value a line. */
export async function dumpColumn(
  client: pg.Client,
  query: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(client.query(copyTo(`copy (${query}) to stdout`)), createMeter(), createWriteStream(file), {
    signal,
  })
}

/** Returns the number and the digest of the rows of a query. */
export async function digestRows(
  client: pg.Client,
  query: string,
  signal: AbortSignal,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  const rows = client.query(copyTo(`copy (${query}) to stdout`))
  const meter = createMeter()
  await pipeline(rows, meter, nowhere(), { signal })
  return { rows: rows.rowCount!, sha256: meter.content().sha256 }
}

/** Loads a file of `dumpTable`. Rejects with a sentence if it is not the file that was written. */
export async function loadTable(
  client: pg.Client,
  facts: TableFacts,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const into = `${client.escapeIdentifier(facts.name)} (${listed(client, facts.columns)})`
  const rows = client.query(copyFrom(`copy ${into} from stdin`))
  const meter = createMeter()
  await pipeline(createReadStream(file), createGunzip(), meter, rows, { signal })
  requireSame(file, meter.content(), facts)
  if (rows.rowCount !== facts.rows) {
    throw new BackupProblem(`${file}: ${rows.rowCount} of ${facts.rows} rows were loaded.`)
  }
}

/** Reads a compressed file of a backup to its end. Rejects with a sentence if it has changed. */
export async function checkFile(file: string, facts: Content, signal: AbortSignal): Promise<void> {
  const meter = createMeter()
  await pipeline(createReadStream(file), createGunzip(), meter, nowhere(), { signal }).catch(
    (error: Error) => {
      signal.throwIfAborted()
      throw new BackupProblem(`${file} is missing or damaged: ${error.message}`, { cause: error })
    },
  )
  requireSame(file, meter.content(), facts)
}

export function requireSame(file: string, found: Content, wanted: Content): void {
  if (found.bytes === wanted.bytes && found.sha256 === wanted.sha256) return
  throw new BackupProblem(`${file} has changed since the backup: its checksum is another one.`)
}

/** On the disk before the stream ends; readable by its owner alone. */
export const NEW_FILE = { flags: 'wx', mode: 0o600, flush: true } as const

export function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

function listed(client: pg.Client, columns: readonly string[]): string {
  return columns.map(column => client.escapeIdentifier(column)).join(', ')
}
