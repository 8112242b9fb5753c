import type { Preview } from '@lapwing/telemetry'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import type { CornerPosition } from '../lap-comparison.ts'

export type SceneCorner = Pick<CornerPosition, 'label' | 'apexM'>

/** More laps would not change the corners. */
const MOST_LAPS = 5

/**
 * Finds the corners that the laps of a session show, in steps of a few milliseconds. Empty without a whole
 * lap. The code loads at the first call; the promise never rejects.
 */
export async function findSceneCorners(preview: Preview): Promise<readonly SceneCorner[]> {
  try {
    const maths = await import('@lapwing/telemetry/compare')
    const lengthM = preview.meta.track_length_m || 100
    const laps = preview.laps.filter(isTimedLap).sort((a, b) => a.time_s - b.time_s)
    const tracks = []
    for (const lap of laps.slice(0, MOST_LAPS)) {
      await new Promise(resolve => setTimeout(resolve))
      const track = maths.lapTrack(preview, lap)
      if (track) tracks.push(track)
    }
    await new Promise(resolve => setTimeout(resolve))
    return maths.numberCorners(maths.findTrackCorners(tracks)).map(({ number, apexPct }) => ({
      label: number.replace('-', '–'),
      apexM: apexPct * lengthM,
    }))
  } catch {
    // Without network the code does not load. The scene then has no numbers.
    return []
  }
}
