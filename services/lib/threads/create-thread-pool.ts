import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { TASK_STATE, type TaskState } from './task-state.ts'

export interface ThreadPoolOptions {
  /** The module whose functions run in threads. */
  readonly module: URL
  /** The function of a task that names none. */
  readonly name?: string
  readonly threads: number
  /** Ends threads that have had no work for so many milliseconds; by default all of them stay. */
  readonly idleMs?: number
  /** Megabytes of JavaScript heap that a thread may use before it is stopped. */
  readonly heapMb?: number
  /** How much later than the rest of the process a thread gets a processor that both want, 0 to 19. */
  readonly niceIncrement?: number
}

export interface RunOptions {
  readonly name?: string
  /** Sets `state` to cancelled; the thread goes on until it looks at it. */
  readonly signal?: AbortSignal
  readonly state?: TaskState
  /** Stops the thread, or takes the task out of the queue. */
  readonly timeout?: AbortSignal
}

export interface ThreadPool<Task, Answer> {
  /** Rejects if the task fails, or its thread crashes or is stopped. */
  run(task: Task, options?: RunOptions): Promise<Answer>
  /** Returns how many tasks wait or run. The bound of piscina counts no task that can be aborted. */
  underWay(): number
  /** Returns whether a thread is there to take work. */
  isAlive(): boolean
  /** Stops the threads and gives up their tasks. */
  close(): Promise<void>
}

export function createThreadPool<Task extends object, Answer>(
  options: ThreadPoolOptions,
): ThreadPool<Task, Answer> {
  const { module, name, threads: count, idleMs, heapMb, niceIncrement } = options
  const threads = new Piscina<Task, Answer>({
    filename: fileURLToPath(module),
    minThreads: idleMs === undefined ? count : 0,
    maxThreads: count,
    // Flags such as --import are for the process, not for its threads.
    execArgv: [],
    recordTiming: false,
    ...(name !== undefined && { name }),
    ...(idleMs !== undefined && { idleTimeout: idleMs }),
    ...(niceIncrement !== undefined && { niceIncrement }),
    ...(heapMb !== undefined && {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
    }),
  })
  // A thread that dies without work is replaced by the pool; `isAlive` says when it could not be.
  threads.on('error', () => undefined)
  let underWay = 0

  return {
    async run(task, { name: function_, signal, state, timeout } = {}) {
      const cancel = () => state !== undefined && Atomics.store(state, TASK_STATE.CANCELLED, 1)
      signal?.addEventListener('abort', cancel)
      if (signal?.aborted) cancel()
      underWay++
      try {
        return await threads.run(task, {
          ...(function_ !== undefined && { name: function_ }),
          ...(timeout !== undefined && { signal: timeout }),
        })
      } finally {
        underWay--
        signal?.removeEventListener('abort', cancel)
      }
    },
    underWay: () => underWay,
    isAlive: () => threads.threads.length > 0,
    close: () => threads.destroy(),
  }
}
