import { createHash } from 'node:crypto'
import { open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupProblem } from './backup-problem.ts'
import type { Schema } from './schemas.ts'

/** What a backup holds. It is written last, so that a backup with a manifest is whole. */
export interface Manifest {
  /** Version of this format. */
  readonly format: 1
  /** Version of Lapwing that made the backup. */
  readonly lapwing: string
  readonly startedAt: string
  /** The moment of the data: all schemas are of one snapshot. */
  readonly snapshotAt: string
  readonly finishedAt: string
  /** Version of the server. */
  readonly postgres: string
  /** Name of the key-encryption key that opens what identity sealed (`key-name.ts`). */
  readonly keyName: string
  readonly schemas: Readonly<Partial<Record<Schema, SchemaFacts>>>
  /** Null without boards. */
  readonly boards: BoardFacts | null
  /** Null without boards. */
  readonly objects: ObjectsFacts | null
}

export interface SchemaFacts {
  /** Names of the migrations that the schema has, in their order. */
  readonly migrations: readonly string[]
  /** In an order in which they can be loaded. */
  readonly tables: readonly TableFacts[]
  /** Last value of each sequence that has one. */
  readonly sequences: Readonly<Record<string, string>>
}

export interface TableFacts extends Content {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
}

/** A file's content before it was compressed. */
export interface Content {
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** The rows of all boards that drivers can see (`BOARD_ROWS`). */
export interface BoardFacts {
  readonly rows: number
  readonly sha256: string
}

export interface ObjectsFacts {
  readonly count: number
  readonly bytes: number
  /** Objects that rows name and that were deleted before they were copied. */
  readonly missing: number
  /** The list of objects (`objects/object-index.ts`). */
  readonly index: Content
}

export const FORMAT = 1

const WHOLE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** Returns the name of a backup that begins now. Names sort by time. */
export function backupName(now: Date): string {
  return now.toISOString().replaceAll(':', '-')
}

/** Returns the names of the whole backups in a folder, the oldest first. */
export async function listBackups(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') throw new BackupProblem(`There is no folder ${dir}.`)
    throw error
  })
  return entries
    .filter(entry => entry.isDirectory() && WHOLE.test(entry.name))
    .map(({ name }) => name)
    .sort()
}

/** Returns the backup with this name, or the newest. Rejects with a sentence if there is none. */
export async function findBackup(dir: string, name?: string): Promise<string> {
  const names = await listBackups(dir)
  const found = name === undefined ? names.at(-1) : names.find(its => its === name)
  if (found !== undefined) return join(dir, found)
  if (name === undefined) throw new BackupProblem(`The folder ${dir} has no whole backup.`)
  throw new BackupProblem(`The folder ${dir} has no backup ${name}. It has: ${names.join(', ') || 'none'}.`)
}

/** Writes the manifest in one step, after its checksum. Both are on the disk when the promise resolves. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeDurably(join(folder, 'manifest.sha256'), `${digestOf(text)}  manifest.json\n`)
  await writeDurably(join(folder, 'manifest.json.new'), text)
  await rename(join(folder, 'manifest.json.new'), join(folder, 'manifest.json'))
  await syncFolder(folder)
}

/** Reads the manifest. Rejects with a sentence if it is missing, damaged, or of a later format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const [text, sum] = await Promise.all(
    ['manifest.json', 'manifest.sha256'].map(name => readFile(join(folder, name), 'utf8').catch(() => '')),
  )
  if (text === '' || sum!.split(' ')[0] !== digestOf(text!)) {
    throw new BackupProblem(`The manifest of ${folder} is missing or damaged. Use another backup.`)
  }
  const manifest = JSON.parse(text!) as Manifest
  if (manifest.format !== FORMAT) {
    throw new BackupProblem(`The backup ${folder} has the format ${manifest.format}. Use a newer Lapwing.`)
  }
  return manifest
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  // Some network file systems cannot sync folders.
  await handle.sync().catch(() => undefined)
  await handle.close()
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
