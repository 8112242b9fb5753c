import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GREYWATER_PARK, LAPWING_GT, simulateSession } from '@lapwing/simulator'
import type { BenchContext } from './bench.ts'

/** Samples of the file, at least. */
export const MANY_ROWS = 300_000

const LAPS = 70

/** Returns the path of a simulated session of 70 laps with over 300,000 samples. Writes it once. */
export function manyLapsFile({ root, log }: BenchContext): string {
  const folder = join(root, '.lapwing', 'bench')
  const path = join(folder, 'many-laps.ibt')
  if (existsSync(path)) return path
  log('writing .lapwing/bench/many-laps.ibt')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    path,
    simulateSession({
      road: GREYWATER_PARK,
      car: LAPWING_GT,
      stint: {
        laps: Array.from({ length: LAPS }, (_, lap) => ({ pace: 0.93 + (lap % 7) / 100, seed: lap + 1 })),
        mistakes: [],
        startsAt: 0.8,
        isFromPits: false,
        stopsAt: 0.3,
      },
      names: {
        trackId: 7,
        trackName: 'greywater grandprix',
        trackDisplayName: 'Greywater Park',
        trackDisplayShortName: 'Greywater',
        trackConfigName: 'Grand Prix',
        carPath: 'lapwing gt',
        carScreenName: 'Lapwing GT',
        carId: 3,
        driverId: 5,
      },
      startedAt: new Date('2026-05-16T13:20:00Z'),
      missingTicks: [],
      hasPlaces: true,
      hasAllChannels: false,
    }),
  )
  return path
}
