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
import { cancelSignal, moveBuffers, TASK_STATE, type TaskState } from '@lapwing/threads'
import { type ArrivingFile, GivenUp, openArrivingSource, TooSlow } from './arriving-file.ts'

/** One file to be read, as the pool hands it to a thread. */
export interface PreviewTask extends AcceptedFormat {
  readonly path: string
  /** Given where the file is still being written. */
  readonly arriving?: ArrivingFile
  /** `MARK` is 1 once a thread has begun. */
  readonly state: TaskState
}

export type PreviewOutcome =
  | { readonly kind: 'answer'; readonly body: Uint8Array<ArrayBuffer>; readonly etag: string }
  /** `detail` is fit to be shown to the driver. */
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'cancelled' }
  /** The file that was still being written came too slowly. */
  | { readonly kind: 'tooSlow' }
  | { readonly kind: 'failed'; readonly error: SilentError }

/**
 * Runs in a thread of the pool: reads the file and makes the whole answer, so that nothing of it
 * is left to the event loop. The answer's bytes are moved, not copied.
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
 * How long a thread may wait, in all, for what is still being sent. A file that comes more slowly
 * gains nothing worth a thread by being read early.
 */
const MAX_WAIT_MS = 1000

/**
 * Reads the columns of a file while it arrives, and returns when all of it is there. How many rows
 * it has is known only then, so there may be too many, at the end. Null where nothing was gained.
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
    // What is wrong with the file is told of the whole of it.
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

/** The numbers hardly compress better at higher levels, which take three times as long. */
const gzipOptions = { level: 1 }

/** Piece by piece: the whole text is never held beside its bytes, and zlib's thread compresses one piece while the next is written. */
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

/** Small buffers share one allocation, which cannot be moved to another thread. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)
}
