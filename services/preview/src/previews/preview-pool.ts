import { type SilentError, withoutMessage } from '@lapwing/files/without-message'
import { type AcceptedFormat, AppError } from '@lapwing/http'
import { createTaskState, createThreadPool, TASK_STATE } from '@lapwing/threads'
import { createArrivingFile, notifyProgress } from './arriving-file.ts'
import type { PreviewOutcome, PreviewTask, readPreview } from './preview-worker.ts'

export type PreviewPool = ReturnType<typeof createPreviewPool>

/** A file that is read while it is written. The caller ends with either `whole` or `giveUp`. */
export interface ReadingAhead {
  /** Reports how many bytes of the file are written. */
  wrote(bytes: number): void
  /** Reports that it is whole. Returns the answer, or null if it came too slowly: then call `read`. */
  whole(): Promise<PreviewBody | null>
  /** Reports that the file will stay incomplete. */
  giveUp(): void
}

export interface PreviewBody {
  readonly body: Uint8Array
  readonly etag: string
}

export class PreviewCancelled extends Error {}

export interface PreviewPoolOptions {
  /** Number of threads. */
  readonly workers: number
  /** Files that may wait for a thread. */
  readonly maxWaiting: number
  readonly workerHeapMb: number
  /** Milliseconds for a file to wait for a thread and be read. After that its thread is stopped. */
  readonly timeoutMs: number
  /** The module that exports `readPreview`. Tests of crashes use another one. */
  readonly workerModule?: URL
}

/** Creates a bounded number of threads that read files. */
export function createPreviewPool(options: PreviewPoolOptions) {
  const { workers, maxWaiting, workerHeapMb, timeoutMs } = options
  const threads = createThreadPool<PreviewTask, Awaited<ReturnType<typeof readPreview>>>({
    module: options.workerModule ?? new URL('./preview-worker.ts', import.meta.url),
    name: 'readPreview',
    threads: workers,
    heapMb: workerHeapMb,
  })

  async function run(task: Omit<PreviewTask, 'state'>, signal: AbortSignal, timeout: AbortSignal) {
    const state = createTaskState()
    try {
      return answerOf(await threads.run({ ...task, state }, { signal, state, timeout }))
    } catch (error) {
      if (error instanceof AppError || error instanceof PreviewCancelled) throw error
      const hasStarted = Atomics.load(state, TASK_STATE.MARK) === 1
      if (timeout.aborted && !hasStarted) throw busy()
      if (timeout.aborted) {
        throw new AppError('preview.failed', { cause: new Error(`reading took more than ${timeoutMs} ms`) })
      }
      throw failed(withoutMessage(error))
    }
  }

  return {
    /**
     * Returns the bytes of the answer for one file. Throws `PreviewCancelled` if `signal` is aborted,
     * otherwise an `AppError`:
     *
     * - `preview.unreadable`, with the reader's message
     * - `preview.busy`, if too many files wait or this one has waited too long
     * - `preview.failed`, if the thread crashes or is stopped
     */
    async read(path: string, format: AcceptedFormat, signal: AbortSignal): Promise<PreviewBody> {
      if (threads.underWay() >= workers + maxWaiting) throw busy()
      const answer = await run({ path, ...format }, signal, AbortSignal.timeout(timeoutMs))
      if (answer === null) throw new Error('A whole file is never too slow.')
      return answer
    },
    /**
     * Reads a file while it is still being written. The thread starts with the bytes that are there. Returns
     * null if no thread is free, because complete files have priority.
     */
    readAhead(
      path: string,
      atMostBytes: number,
      format: AcceptedFormat,
      signal: AbortSignal,
    ): ReadingAhead | null {
      if (threads.underWay() >= workers) return null
      const arriving = createArrivingFile(path, atMostBytes)
      const timeout = new AbortController()
      const answer = run({ path, arriving, ...format }, signal, timeout.signal)
      // An error matters only to a caller of `whole`.
      answer.catch(() => undefined)
      // The time-out starts when the thread no longer waits for bytes of the file.
      const startTimer = () => {
        const timer = setTimeout(() => timeout.abort(), timeoutMs)
        const stopTimer = () => clearTimeout(timer)
        answer.then(stopTimer, stopTimer)
      }
      return {
        wrote: bytes => notifyProgress(arriving, bytes),
        whole() {
          notifyProgress(arriving, 'whole')
          startTimer()
          return answer
        },
        giveUp() {
          notifyProgress(arriving, 'givenUp')
          startTimer()
        },
      }
    },
    isAlive: threads.isAlive,
    close: threads.close,
  }
}

function busy(): AppError {
  return new AppError('preview.busy', { headers: { 'retry-after': '5' } })
}

function answerOf(outcome: PreviewOutcome): PreviewBody | null {
  switch (outcome.kind) {
    case 'answer':
      return outcome
    case 'unreadable':
      throw new AppError('preview.unreadable', { detail: outcome.detail })
    case 'tooSlow':
      return null
    case 'cancelled':
      throw new PreviewCancelled()
    case 'failed':
      throw failed(outcome.error)
  }
}

function failed({ error, frames }: SilentError): AppError {
  const cause = new Error(`${error} while a file was read`)
  cause.stack = `${cause.message}\n${frames}`
  return new AppError('preview.failed', { cause })
}
