import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ContentType } from '@lapwing/object-store'
import { BackupProblem } from '../backup-problem.ts'
import { NEW_FILE } from '../database/copy-table.ts'
import type { Content } from '../manifest.ts'
import { createMeter } from '../meter.ts'

/** An object of a backup: one line of its index, in the order of keys. Its file is `objects/<key>`. */
export interface StoredObject extends ContentType {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** As the store writes it. Another store may give the same bytes another one. */
  readonly etag: string
  /** Hexadecimal. */
  readonly sha256: string
}

export function indexFile(folder: string): string {
  return join(folder, 'objects.ndjson.gz')
}

/** Returns the file of an object. Throws for a key that would lead out of the folder. */
export function objectFile(folder: string, key: string): string {
  if (!/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(key))
    throw new BackupProblem(`The object ${key} has a strange key.`)
  return join(folder, 'objects', key)
}

/** Writes the index while the objects arrive. */
export async function writeIndex(
  folder: string,
  objects: AsyncIterable<StoredObject>,
  signal: AbortSignal,
): Promise<Content> {
  const meter = createMeter({ canWait: true })
  const lines = Readable.from(toLines(objects), { objectMode: false })
  await pipeline(lines, meter, createGzip(), createWriteStream(indexFile(folder), NEW_FILE), { signal })
  return meter.content()
}

async function* toLines(objects: AsyncIterable<StoredObject>): AsyncGenerator<Buffer> {
  for await (const object of objects) yield Buffer.from(`${JSON.stringify(object)}\n`)
}

/** Reads the index, one object at a time. */
export async function* readIndex(folder: string): AsyncGenerator<StoredObject> {
  for await (const line of readLines(indexFile(folder))) yield JSON.parse(line) as StoredObject
}

/** Reads the lines of a file, compressed or not. */
export async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const text = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  // Not passed on by `pipe`.
  source.on('error', error => text.destroy(error))
  try {
    yield* createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })
  } finally {
    source.destroy()
    text.destroy()
  }
}
