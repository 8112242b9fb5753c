import { type SilentError, withoutMessage } from '@lapwing/files/without-message'
import { type AcceptedFormat, AppError } from '@lapwing/http'
import { createTaskState, createThreadPool, TASK_STATE } from '@lapwing/threads'
import { createArrivingFile, notifyProgress } from './arriving-file.ts'
import type { PreviewOutcome, PreviewTask, readPreview } from './preview-worker.ts'

/** A bounded number of threads that read files. */
export interface PreviewPool {
  /**
   * The answer's bytes for one file. Throws an `AppError`: `preview.unreadable` with the reader's
   * own sentence, `preview.busy` when too many files wait or one has waited too long,
   * `preview.failed` when a thread crashed or was stopped; `PreviewCancelled` when `signal` was
   * aborted.
   */
  read(path: string, format: AcceptedFormat, signal: AbortSignal): Promise<PreviewBody>
  /**
   * The same for a file of which some is still being written: a thread begins with what is there.
   * Null where no thread is free, since a file that is whole comes first.
   */
  readAhead(
    path: string,
    atMostBytes: number,
    format: AcceptedFormat,
    signal: AbortSignal,
  ): ReadingAhead | null
  /** Whether a thread is there to take work. */
  isAlive(): boolean
  /** Stops the threads; what they read is given up. */
  close(): Promise<void>
}

/** A file that is read while it is written. Either `whole` or `giveUp` is called in the end. */
export interface ReadingAhead {
  /** So many bytes of it are written. */
  wrote(bytes: number): void
  /** All of it is written. The answer, or null where it came too slowly and is to be read as any other. */
  whole(): Promise<PreviewBody | null>
  /** It will not be whole. */
  giveUp(): void
}

export interface PreviewBody {
  readonly body: Uint8Array
  readonly etag: string
}

export class PreviewCancelled extends Error {}

export interface PreviewPoolOptions {
  /** Threads. */
  readonly workers: number
  /** Files that may wait for a thread. */
  readonly maxWaiting: number
  readonly workerHeapMb: number
  /** Milliseconds a file may wait and be read, after which its thread is stopped. */
  readonly timeoutMs: number
  /** The module that exports `readPreview`; another one in tests of crashes. */
  readonly workerModule?: URL
}

export function createPreviewPool(options: PreviewPoolOptions): PreviewPool {
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
    async read(path, format, signal) {
      if (threads.underWay() >= workers + maxWaiting) throw busy()
      const answer = await run({ path, ...format }, signal, AbortSignal.timeout(timeoutMs))
      if (answer === null) throw new Error('A whole file is never too slow.')
      return answer
    },
    readAhead(path, atMostBytes, format, signal) {
      if (threads.underWay() >= workers) return null
      const arriving = createArrivingFile(path, atMostBytes)
      const timeout = new AbortController()
      const answer = run({ path, arriving, ...format }, signal, timeout.signal)
      // Of interest only to whoever asks for it with `whole`.
      answer.catch(() => undefined)
      // The thread's time counts from when nothing but itself can hold it up.
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
