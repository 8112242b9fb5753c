import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { openFileSource } from '@lapwing/files'
import { IbtError, type Preview, previewSession, stringifyPreview } from '@lapwing/telemetry'
import { encodePreview } from '@lapwing/telemetry/wire'
import { Piscina } from 'piscina'

/** One file to be read, as the pool hands it to a thread. */
export interface PreviewTask {
  readonly path: string
  readonly representation: 'json' | 'protobuf'
  readonly encoding: 'gzip' | 'identity'
  /** Shared with the pool; see `taskState`. */
  readonly state: Int32Array<SharedArrayBuffer>
}

/** Places in `PreviewTask.state`; each holds 0 or 1. */
export const taskState = { started: 0, cancelled: 1 } as const

export type PreviewOutcome =
  | { readonly kind: 'answer'; readonly body: Uint8Array<ArrayBuffer>; readonly etag: string }
  /** `detail` is fit to be shown to the driver. */
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'cancelled' }
  /** The error's class and where it was thrown. Not its message, which may quote the file. */
  | { readonly kind: 'failed'; readonly error: string; readonly stack: string }

/**
 * Runs in a thread of the pool: reads the file and makes the whole answer, so that nothing of it
 * is left to the event loop. The answer's bytes are moved, not copied.
 */
export async function readPreview(task: PreviewTask): Promise<PreviewOutcome> {
  Atomics.store(task.state, taskState.started, 1)
  const isCancelled = () => Atomics.load(task.state, taskState.cancelled) === 1
  try {
    if (isCancelled()) return { kind: 'cancelled' }
    const body = await makeBody(task, isCancelled)
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    return move({ kind: 'answer', body, etag }, body.buffer)
  } catch (error) {
    if (isCancelled()) return { kind: 'cancelled' }
    if (error instanceof IbtError) return { kind: 'unreadable', detail: error.message }
    return { kind: 'failed', ...describe(error) }
  }
}

async function makeBody(task: PreviewTask, isCancelled: () => boolean): Promise<Uint8Array<ArrayBuffer>> {
  const source = openFileSource(task.path)
  let preview: Preview
  try {
    const signal = {
      get aborted() {
        return isCancelled()
      },
    }
    preview = await previewSession(source, { signal })
  } finally {
    source.close()
  }
  const bytes =
    task.representation === 'json' ? Buffer.from(stringifyPreview(preview)) : encodePreview(preview)
  return ownBuffer(task.encoding === 'gzip' ? gzipSync(bytes, { level: 1 }) : bytes)
}

/** Small buffers share one allocation, which cannot be moved to another thread. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)
}

function move<Value extends object>(value: Value, ...buffers: readonly ArrayBuffer[]): Value {
  return Piscina.move({
    get [Piscina.transferableSymbol]() {
      return buffers
    },
    get [Piscina.valueSymbol]() {
      return value
    },
  } as never) as unknown as Value
}

function describe(error: unknown): { error: string; stack: string } {
  if (!(error instanceof Error)) return { error: typeof error, stack: '' }
  const frames = (error.stack ?? '').split('\n').filter(line => /^ {4}at /.test(line))
  return { error: error.name, stack: frames.join('\n') }
}
