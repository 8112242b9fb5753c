import { createTaskState, createThreadPool, TASK_STATE } from '@lapwing/threads'
import { Refusal } from './judge-file.ts'
import type { JudgeOutcome, JudgeTask, judge } from './judge-thread.ts'
import type { JudgedFile } from './judged-file.ts'

/** A bounded number of threads that judge files. */
export interface JudgePool {
  /**
   * Hashes and judges the file at `path`. Throws a `Refusal` where the file is at fault, `ThreadFailed` where its
   * thread crashed or was stopped, and the signal's reason where it was aborted.
   *
   * @param onProgress called with the share of the file that is read, 0..1
   */
  judge(
    path: string,
    userId: string,
    options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ): Promise<HashedFile>
  /** Whether a thread is there to take work. */
  isAlive(): boolean
  /** Stops the threads; what they judge is given up. */
  close(): Promise<void>
}

export interface HashedFile extends JudgedFile {
  /** Of its bytes. */
  readonly sha256: Buffer
}

/** A thread ended before its file was judged. It may be the file, so it is not tried for ever. */
export class ThreadFailed extends Error {
  constructor(cause: string, frames = '') {
    super(`${cause} while a file was judged`)
    this.name = 'ThreadFailed'
    if (frames !== '') this.stack = `${this.name}: ${this.message}\n${frames}`
  }
}

export interface JudgePoolOptions {
  readonly threads: number
  readonly heapMb: number
  /** Milliseconds a file may wait for a thread and be judged, after which its thread is stopped. */
  readonly timeoutMs: number
  /** The module that exports `judge`; another one in tests of crashes. */
  readonly threadModule?: URL
}

export function createJudgePool(options: JudgePoolOptions): JudgePool {
  const { threads: count, heapMb, timeoutMs } = options
  const threads = createThreadPool<JudgeTask, Awaited<ReturnType<typeof judge>>>({
    module: options.threadModule ?? new URL('./judge-thread.ts', import.meta.url),
    name: 'judge',
    threads: count,
    heapMb,
  })

  return {
    async judge(path, userId, { signal, onProgress }) {
      signal.throwIfAborted()
      const state = createTaskState()
      const watch = setInterval(() => onProgress(Atomics.load(state, TASK_STATE.MARK) / 1000), 250)
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        return fileOf(await threads.run({ path, userId, state }, { signal, state, timeout }))
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Refusal || error instanceof ThreadFailed) throw error
        if (timeout.aborted) throw new ThreadFailed(`More than ${timeoutMs} ms`)
        throw new ThreadFailed(error instanceof Error ? error.name : typeof error)
      } finally {
        clearInterval(watch)
      }
    },
    isAlive: threads.isAlive,
    close: threads.close,
  }
}

function fileOf(outcome: JudgeOutcome): HashedFile {
  switch (outcome.kind) {
    case 'judged':
      return { ...outcome.file, sha256: Buffer.from(outcome.sha256) }
    case 'refused':
      throw new Refusal(outcome.code, outcome.detail, Buffer.from(outcome.sha256))
    case 'cancelled':
      throw new ThreadFailed('Cancelled')
    case 'failed':
      throw new ThreadFailed(outcome.error.error, outcome.error.frames)
  }
}
