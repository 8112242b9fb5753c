import { openFileSource } from '@lapwing/files'
import { type SilentError, withoutMessage } from '@lapwing/files/without-message'
import { Piscina } from 'piscina'
import type { ErrorCode } from '../errors.ts'
import { judgeFile, type Origin, Refusal } from './judge-file.ts'
import type { JudgedFile } from './judged-file.ts'

/** One file to be judged, as the pool hands it to a thread. */
export interface JudgeTask extends Origin {
  readonly path: string
  /** Shared with the pool; see `taskState`. */
  readonly state: Int32Array<SharedArrayBuffer>
}

/** Places in `JudgeTask.state`: 0 or 1, 0 or 1, and thousandths of the file that are read. */
export const taskState = { started: 0, cancelled: 1, progress: 2 } as const

export type JudgeOutcome =
  | { readonly kind: 'judged'; readonly file: JudgedFile }
  /** `detail` is fit to be shown to the driver. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: string | null }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: SilentError }

/** Runs in a thread of the pool, so that nothing of a file is left to the event loop. */
export async function judge({ path, state, ...origin }: JudgeTask): Promise<JudgeOutcome> {
  Atomics.store(state, taskState.started, 1)
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
    const source = openFileSource(path)
    try {
      const file = await judgeFile(source, origin, {
        signal,
        onProgress: share => Atomics.store(state, taskState.progress, Math.floor(share * 1000)),
      })
      return move(
        { kind: 'judged', file },
        file.series.map(({ body }) => body.buffer),
      )
    } finally {
      source.close()
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' }
    if (error instanceof Refusal) return { kind: 'refused', code: error.code, detail: error.detail }
    return { kind: 'failed', error: withoutMessage(error) }
  }
}

class Cancelled extends Error {}

/** Series are moved out of the thread, not copied. */
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
