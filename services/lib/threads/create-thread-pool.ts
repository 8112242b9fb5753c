import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { TASK_STATE, type TaskState } from './task-state.ts'

export interface ThreadPoolOptions {
  /** The module whose functions run in threads. */
  readonly module: URL
  /** The function of a task without a `name`. */
  readonly name?: string
  readonly threads: number
  /** Milliseconds without work after which a thread ends. By default all threads stay. */
  readonly idleMs?: number
  /** Megabytes of JavaScript heap that a thread may use before it is stopped. */
  readonly heapMb?: number
  /** How far the scheduling priority of a thread is below that of the process, 0 to 19. */
  readonly niceIncrement?: number
}

export interface RunOptions {
  readonly name?: string
  /** Sets `state` to cancelled. The thread continues until it reads the state. */
  readonly signal?: AbortSignal
  readonly state?: TaskState
  /** Stops the thread, or removes the task from the queue. */
  readonly timeout?: AbortSignal
}

export interface ThreadPool<Task, Answer> {
  /** Rejects if the task fails, or its thread crashes or is stopped. */
  run(task: Task, options?: RunOptions): Promise<Answer>
  /** Returns how many tasks wait or run. The limit of piscina ignores tasks that can be aborted. */
  underWay(): number
  /** Returns whether the pool has a thread. */
  isAlive(): boolean
  /** Stops the threads and rejects their tasks. */
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
    // Flags such as --import apply to the process, not to its threads.
    execArgv: [],
    recordTiming: false,
    ...(name !== undefined && { name }),
    ...(idleMs !== undefined && { idleTimeout: idleMs }),
    ...(niceIncrement !== undefined && { niceIncrement }),
    ...(heapMb !== undefined && {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
    }),
  })
  // The pool replaces a thread that dies without work. If it cannot, `isAlive` returns false.
  threads.on('error', () => undefined)
  let underWay = 0

  return {
    async run(task, { name: functionName, signal, state, timeout } = {}) {
      const cancel = () => state !== undefined && Atomics.store(state, TASK_STATE.CANCELLED, 1)
      signal?.addEventListener('abort', cancel)
      if (signal?.aborted) cancel()
      underWay++
      try {
        return await threads.run(task, {
          ...(functionName !== undefined && { name: functionName }),
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
