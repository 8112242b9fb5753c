import type { LapTrack } from '@lapwing/telemetry/compare'
import { createReaderClient, type WorkerLike } from '#shared/files/reader-client.ts'
import { after } from '#shared/time/timers.ts'

/** A lap of a file, by the first row of it. */
export interface LapTask {
  readonly file: Blob
  readonly rowStart: number
}

/** Reads one lap over its distance, in a worker of its own. Rejects with a `ReadError` if that is not possible. */
export async function readLap(task: LapTask): Promise<LapTrack> {
  const reader = createReaderClient<LapTask, LapTrack>({
    spawn: () =>
      new Worker(new URL('./lap.worker.ts', import.meta.url), { type: 'module' }) as WorkerLike<
        LapTask,
        LapTrack
      >,
    after,
  })
  try {
    return await reader.run(task)
  } finally {
    reader.end()
  }
}
