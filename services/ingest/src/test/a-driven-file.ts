import { GREYWATER_PARK, LAPWING_GT, simulateSession } from '@lapwing/telemetry/simulator'

export interface DrivenFileOptions {
  /** Makes the laps ones of their own: the same seeds are the same laps. */
  readonly seeds?: readonly number[]
  readonly driverId?: number
  /** Start of the recording; a file of another one has other bytes. */
  readonly startedAt?: Date
  readonly trackName?: string
}

/**
 * A telemetry file of laps that a simulated driver drives in earnest, between a run-up and an in lap. Unlike the laps
 * of `aFile`, each is told from every other one by its fingerprint.
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
