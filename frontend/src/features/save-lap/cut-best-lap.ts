import { drivenAt, type Lap, type Preview } from '@lapwing/telemetry'
import type { LapCut } from '@lapwing/telemetry/cut'
import { createBriefReader } from '#shared/files/brief-reader.ts'
import { fastestLap } from '#shared/laps/is-timed-lap.ts'

/** A lap to cut out of a file. */
export interface CutTask {
  readonly file: Blob
  /** All laps of the file, by its rows. */
  readonly laps: readonly Lap[]
  readonly index: number
  /** Milliseconds from the start of the recording to the start of the lap. */
  readonly elapsedMs: number
}

/**
 * Cuts the fastest complete lap out of an open file, in a worker of its own. Resolves to null if no part of the file
 * gets the verdict of the whole. Rejects with a `ReadError`, or with the signal's reason.
 */
export async function cutBestLap(file: File, preview: Preview, signal: AbortSignal): Promise<File | null> {
  const index = indexOfBest(preview.laps)
  const startedAt = drivenAt(preview.laps, preview.sessionTime, new Date(0))[index]
  if (startedAt == null) return null
  const reader = createBriefReader<CutTask, LapCut | null>(
    () => new Worker(new URL('./cut.worker.ts', import.meta.url), { type: 'module' }),
  )
  try {
    const laps = preview.fileLaps ?? preview.laps
    const cut = await reader.run({ file, laps, index, elapsedMs: startedAt.getTime() }, { signal })
    return cut && asFile(file, cut, laps[index]!)
  } finally {
    reader.end()
  }
}

/** Returns the index of the lap that the server would save; -1 if there is none. */
export function indexOfBest(laps: readonly Lap[]): number {
  const best: Lap | null = fastestLap(laps)
  return best === null ? -1 : laps.indexOf(best)
}

/** Only the header is in memory: the browser reads the slices when it sends them. */
export function asFile(file: File, { head, slices }: LapCut, { lap }: Pick<Lap, 'lap'>): File {
  const name = `${file.name.replace(/\.ibt$/i, '')} lap ${lap}.ibt`
  const { type, lastModified } = file
  return new File([head, ...slices.map(([from, end]) => file.slice(from, end))], name, { type, lastModified })
}
