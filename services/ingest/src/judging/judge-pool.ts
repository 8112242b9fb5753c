import { createTaskState, createThreadPool, TASK_STATE } from '@lapwing/threads'
import { Refusal } from './judge-file.ts'
import type { JudgeOutcome, JudgeTask, judge } from './judge-thread.ts'
import type { JudgedFile } from './judged-file.ts'

export type JudgePool = ReturnType<typeof createJudgePool>

export interface HashedFile extends JudgedFile {
  /** SHA-256 of the file's bytes. */
  readonly sha256: Buffer
}

/** A thread ended before its file was judged. The file may be the cause, so attempts are limited. */
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
  /** Milliseconds for a file to wait for a thread and be judged. After that its thread is stopped. */
  readonly timeoutMs: number
  /** The module that exports `judge`. Tests of crashes use another one. */
  readonly threadModule?: URL
}

/** Creates a bounded number of threads that judge files. */
export function createJudgePool(options: JudgePoolOptions) {
  const { threads: count, heapMb, timeoutMs } = options
  const threads = createThreadPool<JudgeTask, Awaited<ReturnType<typeof judge>>>({
    module: options.threadModule ?? new URL('./judge-thread.ts', import.meta.url),
    name: 'judge',
    threads: count,
    heapMb,
  })

  return {
    /**
     * Hashes and judges the file at `path`. Throws a `Refusal` if the file is at fault, `ThreadFailed` if its
     * thread crashes or is stopped, and the signal's reason if it is aborted.
     *
     * @param onProgress called with the fraction of the file that is read, 0..1
     */
    async judge(
      path: string,
      userId: string,
      { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
    ): Promise<HashedFile> {
      signal.throwIfAborted()
      const state = createTaskState()
      const progressTimer = setInterval(() => onProgress(Atomics.load(state, TASK_STATE.MARK) / 1000), 250)
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        return fileOf(await threads.run({ path, userId, state }, { signal, state, timeout }))
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Refusal || error instanceof ThreadFailed) throw error
        if (timeout.aborted) throw new ThreadFailed(`More than ${timeoutMs} ms`)
        throw new ThreadFailed(error instanceof Error ? error.name : typeof error)
      } finally {
        clearInterval(progressTimer)
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
