import { BackupProblem } from './backup-problem.ts'
import { checkFile } from './database/copy-table.ts'
import { keyName } from './key-name.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { indexFile, readIndex } from './objects/object-index.ts'
import { checkObject } from './objects/return-objects.ts'
import { createProgress, type Say } from './progress.ts'
import type { Schema } from './schemas.ts'
import { tableFile } from './table-file.ts'

export interface CheckBackup {
  /** Folder of the backup. */
  readonly folder: string
  /** Null if it cannot be compared. */
  readonly keyEncryptionKey: Uint8Array | null
  readonly say: Say
  readonly signal: AbortSignal
}

/** Problems that are printed; the others are counted. */
const PRINTED = 20

/**
 * Reads a backup to its last byte, without a server. Prints each file that is missing or has changed, and returns their
 * number. Rejects with a sentence if the manifest is damaged or names another key.
 */
export async function checkBackup({ folder, keyEncryptionKey, say, signal }: CheckBackup): Promise<number> {
  const manifest = await readManifest(folder)
  if (keyEncryptionKey !== null) requireKey(manifest, keyEncryptionKey)
  let problems = 0
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof BackupProblem)) throw error
      if (++problems <= PRINTED) say(error.message)
    }
  }
  for (const [schema, { tables }] of Object.entries(manifest.schemas)) {
    for (const table of tables) {
      await attempt(() => checkFile(tableFile(folder, schema as Schema, table.name), table, signal))
    }
  }
  if (manifest.objects !== null) {
    const { index, count } = manifest.objects
    const before = problems
    await attempt(() => checkFile(indexFile(folder), index, signal))
    if (problems === before) {
      const progress = createProgress(say)
      let objects = 0
      for await (const object of readIndex(folder)) {
        await attempt(() => checkObject(folder, object, signal))
        objects++
        progress(() => `objects: ${objects} of ${count} checked`)
      }
    }
  }
  if (problems > PRINTED) say(`… and ${problems - PRINTED} more.`)
  return problems
}

/** Throws a sentence if the backup needs another key-encryption key. */
export function requireKey(manifest: Manifest, key: Uint8Array): void {
  const given = keyName(key)
  if (given === manifest.keyName) return
  throw new BackupProblem(
    `The backup needs the key-encryption key ${manifest.keyName}, and KEY_ENCRYPTION_KEY is ${given}. ` +
      'Find that key; if it is lost, charts/runbooks/key-loss.md says how to restore without it.',
  )
}
