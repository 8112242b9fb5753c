import { after } from '#shared/time/timers.ts'
import { createReaderClient, type ReaderClient, type WorkerLike } from './reader-client.ts'

/** A reader for some tasks. Its worker starts with the first one. */
export interface BriefReader<Task, Result> extends Pick<ReaderClient<Task, Result>, 'run'> {
  /** Ends the worker and frees its memory. Call it after the last task. */
  end(): void
}

/** Creates a reader over a worker. */
export function createBriefReader<Task, Result>(startWorker: () => Worker): BriefReader<Task, Result> {
  let worker: Worker | null = null
  const { run } = createReaderClient<Task, Result>({
    spawn() {
      worker = startWorker()
      return worker as WorkerLike<Task, Result>
    },
    after,
  })
  return { run, end: () => worker?.terminate() }
}
