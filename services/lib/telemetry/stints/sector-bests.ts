import type { TimedLap } from './measured-laps.ts'

export interface SectorBest {
  readonly seconds: number
  readonly lap: TimedLap
}

export interface SectorBests {
  /** In driving order. */
  readonly bests: readonly SectorBest[]
  /** Seconds of all bests, to the millisecond. Nobody drove it, unless one lap has them all (`drivenBest`). */
  readonly theoreticalS: number
}

/** Returns the best of each sector; null if no lap has sector times. */
export function sectorBests(laps: readonly TimedLap[]): SectorBests | null {
  const bests: SectorBest[] = []
  for (const lap of laps) {
    lap.figures?.sectors_s.forEach((seconds, i) => {
      const best = bests[i]
      if (best === undefined || seconds < best.seconds) bests[i] = { seconds, lap }
    })
  }
  if (bests.length === 0) return null
  const sumS = bests.reduce((sum, { seconds }) => sum + seconds, 0)
  return { bests, theoreticalS: Math.round(1000 * sumS) / 1000 }
}

/** Returns the lap that drove all of the bests; null if they are of several laps. */
export function drivenBest(bests: readonly SectorBest[]): TimedLap | null {
  const lap = bests[0]?.lap ?? null
  return bests.every(best => best.lap === lap) ? lap : null
}
