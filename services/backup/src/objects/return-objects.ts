import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { pipeline as run } from 'node:stream/promises'
import type { ObjectFacts, ObjectStore } from '@lapwing/object-store'
import { BackupProblem } from '../backup-problem.ts'
import { nowhere, requireSame } from '../database/copy-table.ts'
import { createMeter } from '../meter.ts'
import { joinByKey } from './join-by-key.ts'
import { keepTrying } from './keep-trying.ts'
import { listBucket } from './list-bucket.ts'
import { objectFile, readIndex, type StoredObject } from './object-index.ts'

export interface Returned {
  readonly objects: number
  readonly bytes: number
  /** Of these, the objects that the bucket had already. */
  readonly present: number
  /** Objects to which the store gave another ETag. */
  readonly renamed: number
}

const AT_ONCE = 8

/**
 * Puts the objects of a backup into the bucket, except those that are there with the same size and ETag. So a second run
 * continues the first. Rejects with a sentence if a file of the backup has changed.
 */
export async function returnObjects(
  folder: string,
  store: Pick<ObjectStore, 'list' | 'putStream'>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (returned: Returned) => void },
): Promise<Returned> {
  const progress = { objects: 0, bytes: 0, present: 0, renamed: 0 }
  async function put([object, there]: readonly [StoredObject, ObjectFacts | null]): Promise<void> {
    if (there?.size === object.size && there.etag === object.etag) progress.present++
    else if ((await putObject(folder, store, object, signal)) !== object.etag) progress.renamed++
    progress.objects++
    progress.bytes += object.size
    onProgress(progress)
  }
  const pairs = joinByKey(readIndex(folder), listBucket(store, signal))
  await Readable.from(pairs).forEach(put, { concurrency: AT_ONCE, signal })
  return progress
}

/** Returns the ETag that the store gives it. */
async function putObject(
  folder: string,
  store: Pick<ObjectStore, 'putStream'>,
  { key, etag: _, ...facts }: StoredObject,
  signal: AbortSignal,
): Promise<string> {
  const file = objectFile(folder, key)
  return keepTrying(async () => {
    const meter = createMeter()
    // Its errors reach the reader of `meter`.
    const body = pipeline(createReadStream(file), meter, () => undefined)
    try {
      const { etag } = await store.putStream(key, body, { ...facts, signal })
      requireSame(file, meter.content(), { bytes: facts.size, sha256: facts.sha256 })
      return etag
    } catch (error) {
      // A store that compares the digest refuses changed bytes. Then the file is the fault.
      await checkObject(folder, { key, ...facts }, signal)
      throw error
    } finally {
      body.destroy()
    }
  }, signal)
}

/** Reads an object of a backup to its end. Rejects with a sentence if it is missing or has changed. */
export async function checkObject(
  folder: string,
  { key, size, sha256 }: Pick<StoredObject, 'key' | 'size' | 'sha256'>,
  signal: AbortSignal,
): Promise<void> {
  const file = objectFile(folder, key)
  const meter = createMeter()
  await run(createReadStream(file), meter, nowhere(), { signal }).catch(
    (error: { readonly code?: string }) => {
      signal.throwIfAborted()
      throw new BackupProblem(`${file} cannot be read: ${error.code ?? error}`, { cause: error })
    },
  )
  requireSame(file, meter.content(), { bytes: size, sha256 })
}
