import { GREYWATER_PARK, LAPWING_GT, simulateSession } from '@lapwing/simulator'

export interface DrivenFileOptions {
  /** Each seed makes a different lap; the same seeds make the same laps. */
  readonly seeds?: readonly number[]
  readonly driverId?: number
  /** Start of the recording; files with another start have other bytes. */
  readonly startedAt?: Date
  readonly trackName?: string
}

/**
 * Returns a telemetry file of laps by a simulated driver at the limit, after a run-up and before an in lap.
 * Unlike laps of `aFile`, each has a fingerprint of its own.
 */
export function aDrivenFile({
  seeds = [1],
  driverId = 1,
  startedAt = new Date('2026-02-01T12:00:00Z'),
  trackName = 'Driven Ring',
}: DrivenFileOptions = {}): Uint8Array {
  return simulateSession({
    road: GREYWATER_PARK,
    car: LAPWING_GT,
    stint: {
      laps: [
        { pace: 0.88, seed: 1_001 },
        ...seeds.map(seed => ({ pace: 0.95 + (seed % 10) / 500, seed })),
        { pace: 0.9, seed: 1_002 },
      ],
      mistakes: [],
      startsAt: 0.8,
      isFromPits: false,
      stopsAt: 0.06,
    },
    names: {
      trackId: 77,
      trackName: trackName.toLowerCase(),
      trackDisplayName: trackName,
      trackDisplayShortName: trackName,
      trackConfigName: 'Grand Prix',
      carPath: 'lapwing gt',
      carScreenName: 'Lapwing GT',
      carId: 7,
      driverId,
    },
    startedAt,
    missingTicks: [],
    hasPlaces: true,
    hasAllChannels: false,
  })
}
