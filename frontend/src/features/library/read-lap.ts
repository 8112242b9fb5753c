import type { LapTrack } from '@lapwing/telemetry/compare'
import { createBriefReader } from '#shared/files/brief-reader.ts'

/** A lap of a file, by the first row of it. */
export interface LapTask {
  readonly file: Blob
  readonly rowStart: number
}

/** Reads one lap over its distance, in a worker of its own. Rejects with a `ReadError` if that is not possible. */
export async function readLap(task: LapTask): Promise<LapTrack> {
  const reader = createBriefReader<LapTask, LapTrack>(
    () => new Worker(new URL('./lap.worker.ts', import.meta.url), { type: 'module' }),
  )
  try {
    return await reader.run(task)
  } finally {
    reader.end()
  }
}
