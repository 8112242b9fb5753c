import type { After } from '#shared/time/timers.ts'
import { previewFailed, ReadError } from './read-error.ts'
import type { ReaderMessage, ReaderRequest } from './reader-protocol.ts'

/** The part of a `Worker` that is used. */
export interface WorkerLike<Task, Result> {
  postMessage(message: ReaderRequest<Task>): void
  terminate(): void
  onmessage: ((event: { readonly data: ReaderMessage<Result> }) => void) | null
  onerror: ((event: { preventDefault?(): void }) => void) | null
  onmessageerror: (() => void) | null
}

interface ReaderClientDeps<Task, Result> {
  readonly spawn: () => WorkerLike<Task, Result>
  readonly after: After
}

export interface ReadOptions {
  readonly onProgress?: ((share: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ReaderClient<Task, Result> {
  /** Starts a worker ahead of the first file, so that its code is loaded by then. */
  warmUp(): void
  /**
   * Reads in the worker. A new task ends the running one.
   *
   * @throws WorkerUnavailableError if no worker can start here
   * @throws ReadError with the sentence to show
   * @throws the signal's reason
   */
  run(task: Task, options?: ReadOptions): Promise<Result>
}

/** This browser, or this deployment, does not allow workers. */
export class WorkerUnavailableError extends Error {
  constructor() {
    super('The reader could not be started in this browser. Reload the page, or try another browser.')
    this.name = 'WorkerUnavailableError'
  }
}

/** Returns the sentence to show for a failed `run`; `otherwise` for an error without one. */
export function readSentence(error: unknown, otherwise = previewFailed().message): string {
  return error instanceof ReadError || error instanceof WorkerUnavailableError ? error.message : otherwise
}

const STOPPED = 'The reader stopped before it was done. Please try the file again.'

/** Milliseconds in which a worker must send "ready"; otherwise it counts as unavailable. */
const START_TIMEOUT_MS = 15_000

interface Job<Result> {
  readonly id: number
  readonly onProgress: ((share: number) => void) | undefined
  readonly settle: (outcome: { readonly result: Result } | { readonly error: unknown }) => void
}

export function createReaderClient<Task, Result>({
  spawn,
  after,
}: ReaderClientDeps<Task, Result>): ReaderClient<Task, Result> {
  type Reader = WorkerLike<Task, Result>
  let worker: Reader | null = null
  let isReady = false
  let stopStartTimer = () => {}
  let job: Job<Result> | null = null
  let lastId = 0

  function start(): Reader {
    const started = spawn()
    worker = started
    isReady = false
    started.onmessage = ({ data }) => {
      if (started === worker) hear(data)
    }
    started.onerror = event => {
      event.preventDefault?.()
      if (started === worker) fail()
    }
    started.onmessageerror = () => {
      if (started === worker) fail()
    }
    stopStartTimer = after(START_TIMEOUT_MS, () => {
      if (started === worker && !isReady) fail()
    })
    return started
  }

  function hear(message: ReaderMessage<Result>) {
    if (message.kind === 'ready') {
      isReady = true
      stopStartTimer()
      return
    }
    // Ignore answers to a cancelled job.
    if (message.job !== job?.id) return
    if (message.kind === 'progress') job.onProgress?.(message.share)
    else if (message.kind === 'done') job.settle({ result: message.result })
    else job.settle({ error: new ReadError(message.code, message.message) })
  }

  /** Handles a worker that died, at its start or while it read. */
  function fail() {
    const error = isReady ? new ReadError('page.reader_stopped', STOPPED) : new WorkerUnavailableError()
    const ended = job
    end()
    ended?.settle({ error })
  }

  function end() {
    stopStartTimer()
    worker?.terminate()
    worker = null
    job = null
  }

  return {
    warmUp() {
      if (worker) return
      try {
        start()
      } catch {
        // The next call of `run` reports the failure.
        worker = null
      }
    },
    run(task, { onProgress, signal } = {}) {
      const previous = job
      if (previous) {
        end()
        previous.settle({ error: new DOMException('Another file was chosen.', 'AbortError') })
      }
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const id = ++lastId
        const cancel = () => {
          end()
          mine.settle({ error: signal?.reason })
        }
        const mine: Job<Result> = {
          id,
          onProgress,
          settle(outcome) {
            signal?.removeEventListener('abort', cancel)
            if (job === mine) job = null
            if ('result' in outcome) resolve(outcome.result)
            else reject(outcome.error)
          },
        }
        job = mine
        signal?.addEventListener('abort', cancel)
        try {
          ;(worker ?? start()).postMessage({ job: id, task })
        } catch {
          end()
          mine.settle({ error: new WorkerUnavailableError() })
        }
      })
    },
  }
}
