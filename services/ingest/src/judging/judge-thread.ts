import { openFileSource } from '@lapwing/files'
import { type SilentError, withoutMessage } from '@lapwing/files/without-message'
import type { PreviewOptions } from '@lapwing/telemetry'
import { Piscina } from 'piscina'
import type { ErrorCode } from '../errors.ts'
import { type HashedSource, hashedSource } from './hashed-source.ts'
import { judgeFile, type Origin, Refusal } from './judge-file.ts'
import type { JudgedFile } from './judged-file.ts'

/** One file to judge, as the pool sends it to a thread. */
export interface JudgeTask extends Pick<Origin, 'userId'> {
  readonly path: string
  /** Shared with the pool; see `taskState`. */
  readonly state: Int32Array<SharedArrayBuffer>
}

/** Indexes in `JudgeTask.state`: 0 or 1, and thousandths of the file that are read. */
export const taskState = { cancelled: 0, progress: 1 } as const

export type JudgeOutcome =
  | { readonly kind: 'judged'; readonly file: JudgedFile; readonly sha256: Uint8Array }
  /** The driver can see `detail`. */
  | {
      readonly kind: 'refused'
      readonly code: ErrorCode
      readonly detail: string | null
      readonly sha256: Uint8Array
    }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: SilentError }

/** Judges a file in a thread of the pool, so that the event loop does none of the work. */
export async function judge({ path, state, userId }: JudgeTask): Promise<JudgeOutcome> {
  const signal = {
    get aborted() {
      return Atomics.load(state, taskState.cancelled) === 1
    },
    get reason() {
      return new Cancelled()
    },
  }
  try {
    if (signal.aborted) return { kind: 'cancelled' }
    const source = hashedSource(openFileSource(path))
    try {
      return await judgeSource(source, userId, {
        signal,
        onProgress: share => Atomics.store(state, taskState.progress, Math.floor(share * 1000)),
      })
    } finally {
      source.close()
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' }
    return { kind: 'failed', error: withoutMessage(error) }
  }
}

async function judgeSource(
  source: HashedSource,
  userId: string,
  options: PreviewOptions,
): Promise<JudgeOutcome> {
  const origin = {
    userId,
    get sha256() {
      return source.sha256()
    },
  }
  try {
    const file = await judgeFile(source, origin, options)
    return move(
      { kind: 'judged', file, sha256: source.sha256() },
      file.series.map(({ body }) => body.buffer),
    )
  } catch (error) {
    if (!(error instanceof Refusal) || options.signal?.aborted) throw error
    return { kind: 'refused', code: error.code, detail: error.detail, sha256: source.sha256() }
  }
}

class Cancelled extends Error {}

/** Moves the series out of the thread instead of copying them. */
function move<Value extends object>(value: Value, buffers: readonly ArrayBuffer[]): Value {
  return Piscina.move({
    get [Piscina.transferableSymbol]() {
      return buffers
    },
    get [Piscina.valueSymbol]() {
      return value
    },
  } as never) as unknown as Value
}
