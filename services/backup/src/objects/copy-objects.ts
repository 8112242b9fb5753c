import { createWriteStream } from 'node:fs'
import { link, mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isStoreError, type ObjectFacts, type ObjectStore } from '@lapwing/object-store'
import { NEW_FILE } from '../database/copy-table.ts'
import type { ObjectsFacts } from '../manifest.ts'
import { createMeter } from '../meter.ts'
import { joinByKey, type Keyed } from './join-by-key.ts'
import { keepTrying } from './keep-trying.ts'
import { listBucket } from './list-bucket.ts'
import { objectFile, readIndex, readLines, type StoredObject, writeIndex } from './object-index.ts'

export interface CopyObjects {
  readonly store: Pick<ObjectStore, 'list' | 'get'>
  /** Folder of the backup. */
  readonly folder: string
  /** Files with the keys that rows name, one a line, together in the order of keys. */
  readonly keyFiles: readonly string[]
  /** Folder of the backup before, whose unchanged objects are not fetched again. Null for the first one. */
  readonly previous: string | null
  readonly signal: AbortSignal
  readonly onProgress: (copied: Copied) => void
}

export interface Copied {
  readonly objects: number
  readonly bytes: number
  /** Of these, the objects that came from the store. */
  readonly fetched: number
}

/** Objects that are copied at the same time. Each holds a few buffers, whatever its size. */
const AT_ONCE = 8

/**
 * Copies the objects that rows name into the backup, and writes their index. An object of the backup before with the same
 * size and ETag becomes a hard link, if the file system has them. An object that was deleted meanwhile is counted.
 */
export async function copyObjects(options: CopyObjects): Promise<ObjectsFacts> {
  const { store, folder, keyFiles, previous, signal, onProgress } = options
  const progress = { objects: 0, bytes: 0, fetched: 0 }
  let missing = 0

  async function* found(): AsyncGenerator<ObjectFacts> {
    for await (const [, object] of joinByKey(readKeys(keyFiles), listBucket(store, signal))) {
      if (object === null) missing++
      else yield object
    }
  }

  async function copy([object, before]: readonly [ObjectFacts, StoredObject | null]): Promise<
    StoredObject[]
  > {
    const file = objectFile(folder, object.key)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const isLinked =
      previous !== null &&
      before?.size === object.size &&
      before.etag === object.etag &&
      (await linkFile(objectFile(previous, object.key), file, object.size))
    const stored = isLinked ? before : await fetchObject(store, object, file, signal)
    if (stored === null) {
      missing++
      return []
    }
    progress.objects++
    progress.bytes += stored.size
    if (!isLinked) progress.fetched++
    onProgress(progress)
    return [stored]
  }

  const pairs = joinByKey(found(), previous === null ? nothing() : readIndex(previous))
  const copies = Readable.from(pairs).flatMap(copy, { concurrency: AT_ONCE, signal })
  await mkdir(join(folder, 'objects'), { mode: 0o700 })
  const index = await writeIndex(folder, copies, signal)
  return { count: progress.objects, bytes: progress.bytes, missing, index }
}

/** Returns null if the object is gone, or is another one by now. */
async function fetchObject(
  store: Pick<ObjectStore, 'get'>,
  { key, etag }: ObjectFacts,
  file: string,
  signal: AbortSignal,
): Promise<StoredObject | null> {
  try {
    return await keepTrying(async () => {
      await rm(file, { force: true })
      const { body, type } = await store.get(key, { ifMatch: etag, signal })
      const meter = createMeter()
      await pipeline(body, meter, createWriteStream(file, NEW_FILE))
      const { bytes: size, sha256 } = meter.content()
      return { key, size, etag, sha256, ...type }
    }, signal)
  } catch (error) {
    if (!isStoreError(error, 'not_found') && !isStoreError(error, 'changed')) throw error
    await rm(file, { force: true })
    return null
  }
}

/** Returns false if the file cannot be linked: it is gone, or the file system has no links or no more of them. */
async function linkFile(from: string, to: string, size: number): Promise<boolean> {
  try {
    if ((await stat(from)).size !== size) return false
    await link(from, to)
    return true
  } catch {
    return false
  }
}

async function* readKeys(files: readonly string[]): AsyncGenerator<Keyed> {
  for (const file of files) {
    for await (const key of readLines(file)) yield { key }
  }
}

async function* nothing(): AsyncGenerator<StoredObject> {}
