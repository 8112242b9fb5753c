import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Refusal } from './judge-file.ts'
import { type JudgeOutcome, type JudgeTask, type judge, taskState } from './judge-thread.ts'
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
  const threads = new Piscina<JudgeTask, Awaited<ReturnType<typeof judge>>>({
    filename: fileURLToPath(options.threadModule ?? new URL('./judge-thread.ts', import.meta.url)),
    name: 'judge',
    minThreads: count,
    maxThreads: count,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
    // Flags such as --import are for the process, not for its threads.
    execArgv: [],
    recordTiming: false,
  })
  // A thread that dies without work is replaced by the pool; `isAlive` says when it could not be.
  threads.on('error', () => undefined)

  return {
    async judge(path, userId, { signal, onProgress }) {
      signal.throwIfAborted()
      const state = new Int32Array(new SharedArrayBuffer(8))
      const cancel = () => Atomics.store(state, taskState.cancelled, 1)
      signal.addEventListener('abort', cancel)
      const watch = setInterval(() => onProgress(Atomics.load(state, taskState.progress) / 1000), 250)
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        return fileOf(await threads.run({ path, userId, state }, { signal: timeout }))
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Refusal || error instanceof ThreadFailed) throw error
        if (timeout.aborted) throw new ThreadFailed(`More than ${timeoutMs} ms`)
        throw new ThreadFailed(error instanceof Error ? error.name : typeof error)
      } finally {
        clearInterval(watch)
        signal.removeEventListener('abort', cancel)
      }
    },
    isAlive: () => threads.threads.length > 0,
    close: () => threads.destroy(),
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
