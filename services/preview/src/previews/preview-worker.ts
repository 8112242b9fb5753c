import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createGzip, gzipSync } from 'node:zlib'
import { openFileSource } from '@lapwing/files'
import { type SilentError, withoutMessage } from '@lapwing/files/without-message'
import type { AcceptedFormat } from '@lapwing/http'
import {
  type Columns,
  IbtError,
  ibtLimits,
  openIbt,
  PREVIEW_COLUMNS,
  type Preview,
  previewOf,
  previewSession,
  previewTexts,
  readColumns,
} from '@lapwing/telemetry'
import { encodePreview } from '@lapwing/telemetry/wire'
import { cancelSignal, moveBuffers, ownBuffer, TASK_STATE, type TaskState } from '@lapwing/threads'
import { type ArrivingFile, GivenUp, openArrivingSource, TooSlow } from './arriving-file.ts'

/** One file to read, as the pool passes it to a thread. */
export interface PreviewTask extends AcceptedFormat {
  readonly path: string
  /** Present if the file is still being written. */
  readonly arriving?: ArrivingFile
  /** `MARK` is 1 once a thread has begun. */
  readonly state: TaskState
}

export type PreviewOutcome =
  | { readonly kind: 'answer'; readonly body: Uint8Array<ArrayBuffer>; readonly etag: string }
  /** `detail` can be shown to the driver. */
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'cancelled' }
  /** The file that was still being written arrived too slowly. */
  | { readonly kind: 'tooSlow' }
  | { readonly kind: 'failed'; readonly error: SilentError }

/**
 * Reads a file and builds the whole answer, in a thread of the pool, so that the event loop only sends it.
 * The answer's bytes are moved to the main thread, not copied.
 */
export async function readPreview(task: PreviewTask): Promise<PreviewOutcome> {
  Atomics.store(task.state, TASK_STATE.MARK, 1)
  const signal = cancelSignal(task.state)
  try {
    if (signal.aborted) return { kind: 'cancelled' }
    const body = await makeBody(task, signal)
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    return moveBuffers({ kind: 'answer', body, etag }, [body.buffer])
  } catch (error) {
    if (signal.aborted || error instanceof GivenUp) return { kind: 'cancelled' }
    if (error instanceof TooSlow) return { kind: 'tooSlow' }
    if (error instanceof IbtError) return { kind: 'unreadable', detail: error.message }
    return { kind: 'failed', error: withoutMessage(error) }
  }
}

async function makeBody(task: PreviewTask, signal: Signal): Promise<Uint8Array<ArrayBuffer>> {
  const ahead = task.arriving === undefined ? null : await readAhead(task.arriving, signal)
  const preview = await readFile(task.path, ahead, signal)
  if (task.representation === 'json') return jsonOf(preview, task.encoding)
  const packed = encodePreview(preview)
  return ownBuffer(task.encoding === 'gzip' ? gzipSync(packed, gzipOptions) : packed)
}

type Signal = { readonly aborted: boolean }

/**
 * How long a thread may wait in total for bytes that are still arriving. Reading a slower file early gains
 * too little to block a thread.
 */
const MAX_WAIT_MS = 1000

/**
 * Reads the columns of a file while it arrives, and returns when the file is whole. Only then is the number
 * of rows known, so the columns can have too many rows at the end. Returns null if the file must be read
 * again.
 */
async function readAhead(arriving: ArrivingFile, signal: Signal): Promise<Columns | null> {
  const source = openArrivingSource(arriving, MAX_WAIT_MS)
  try {
    const file = await openIbt(source)
    const columns =
      file.rows > ibtLimits.MAX_PREVIEW_ROWS ? null : await readColumns(file, PREVIEW_COLUMNS, { signal })
    source.waitForWhole()
    return columns
  } catch (error) {
    // The error may come from the missing part: the whole file is read again and reports its own error.
    if (!(error instanceof IbtError)) throw error
    source.waitForWhole()
    return null
  } finally {
    source.close()
  }
}

async function readFile(path: string, ahead: Columns | null, signal: Signal): Promise<Preview> {
  const source = openFileSource(path)
  try {
    const file = await openIbt(source)
    if (ahead !== null && ahead.rows >= file.rows) return previewOf(file, firstRows(ahead, file.rows))
    return await previewSession(source, { signal })
  } finally {
    source.close()
  }
}

function firstRows({ byName }: Columns, rows: number): Columns {
  const cut = [...byName].map(
    ([name, column]) =>
      [name, { ...column, values: column.values.subarray(0, rows * column.count) }] as const,
  )
  return { rows, byName: new Map(cut) }
}

/** Higher levels take three times as long and hardly compress these numbers better. */
const gzipOptions = { level: 1 }

/**
 * Writes a preview as JSON, piece by piece. The whole text is never in memory beside its bytes, and zlib's
 * thread compresses one piece while the next is written.
 */
async function jsonOf(preview: Preview, encoding: PreviewTask['encoding']): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  if (encoding === 'identity') {
    for (const text of previewTexts(preview)) chunks.push(Buffer.from(text))
    return ownBuffer(Buffer.concat(chunks))
  }
  const gzip = createGzip(gzipOptions)
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = once(gzip, 'end')
  let written: Promise<void> = Promise.resolve()
  for (const text of previewTexts(preview)) {
    await written
    written = new Promise((resolve, reject) => {
      gzip.write(text, 'utf8', error => (error ? reject(error) : resolve()))
    })
  }
  await written
  gzip.end()
  await ended
  return ownBuffer(Buffer.concat(chunks))
}
