import { GREYWATER_PARK, LAPWING_GT, type Mistake, simulateSession } from '@lapwing/simulator'

interface SimulatedFile {
  readonly startedAt?: string
  /** Smaller ones are slower. */
  readonly pace?: number
  /** A lap for each; neither the first nor the last is complete. */
  readonly seeds?: readonly number[]
  readonly mistakes?: readonly Mistake[]
  /** Also those that neither judging nor comparing needs. */
  readonly hasAllChannels?: boolean
}

const OVER_THE_GRASS: Mistake = { lap: 2, at: 0.54, overM: 150, asideM: 7.2, grip: 0.62, limitMps: 31 }

/** Returns a session of the sample's simulator, with names that have a board. */
export function simulatedFile({
  startedAt = '2026-05-16T13:20:00Z',
  pace = 0.95,
  seeds = [11, 23, 37, 41],
  mistakes = [OVER_THE_GRASS],
  hasAllChannels = false,
}: SimulatedFile = {}): Uint8Array {
  return simulateSession({
    road: GREYWATER_PARK,
    car: LAPWING_GT,
    stint: {
      laps: seeds.map(seed => ({ pace: pace + seed / 2000, seed })),
      mistakes,
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
    startedAt: new Date(startedAt),
    missingTicks: [1571, 9240, 9301],
    hasPlaces: true,
    hasAllChannels,
  })
}
