import { openFileSource } from '@lapwing/files'
import { type SilentError, withoutMessage } from '@lapwing/files/without-message'
import type { PreviewOptions } from '@lapwing/telemetry'
import { cancelSignal, moveBuffers, TASK_STATE, type TaskState } from '@lapwing/threads'
import type { ErrorCode } from '../errors.ts'
import { type HashedSource, hashedSource } from './hashed-source.ts'
import { judgeFile, type Origin, Refusal } from './judge-file.ts'
import type { JudgedFile } from './judged-file.ts'

/** One file to judge, as the pool sends it to a thread. */
export interface JudgeTask extends Pick<Origin, 'userId'> {
  readonly path: string
  /** `MARK` is the thousandths of the file that are read. */
  readonly state: TaskState
}

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
  const signal = cancelSignal(state)
  try {
    if (signal.aborted) return { kind: 'cancelled' }
    const source = hashedSource(openFileSource(path))
    try {
      return await judgeSource(source, userId, {
        signal,
        onProgress: share => Atomics.store(state, TASK_STATE.MARK, Math.floor(share * 1000)),
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
    return moveBuffers(
      { kind: 'judged', file, sha256: source.sha256() },
      file.series.map(({ body }) => body.buffer),
    )
  } catch (error) {
    if (!(error instanceof Refusal) || options.signal?.aborted) throw error
    return { kind: 'refused', code: error.code, detail: error.detail, sha256: source.sha256() }
  }
}
