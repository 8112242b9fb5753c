import { LAPWING_GT } from './car.ts'
import { GREYWATER_PARK } from './circuit.ts'
import type { Mistake, Stint } from './plan-stint.ts'
import { simulateSession } from './simulate-session.ts'

/**
 * Returns a made-up practice session as the bytes of an `.ibt` file of about 5 MB, for drivers without a file
 * of their own. It has seven laps of Greywater Park in a Lapwing GT. The first leaves the pits, the fourth
 * goes over the grass, the last is not finished; the others count.
 *
 * Simulated, not recorded, and the same bytes at every call. Takes less than a second.
 */
export function makeSampleSession(): Uint8Array {
  return simulateSession({
    road: GREYWATER_PARK,
    car: LAPWING_GT,
    stint: STINT,
    names: {
      // None: its laps belong to no board.
      trackId: 0,
      trackName: 'greywater grandprix',
      trackDisplayName: 'Greywater Park',
      trackDisplayShortName: 'Greywater',
      trackConfigName: 'Grand Prix',
      carPath: 'lapwing gt',
      carScreenName: 'Lapwing GT',
      carId: 0,
      driverId: 0,
    },
    startedAt: new Date('2026-05-16T13:20:00Z'),
    missingTicks: [1571, 9240, 9301, 16_832, 24_417],
    hasPlaces: true,
    hasAllChannels: true,
  })
}

const MISTAKES: readonly Mistake[] = [
  // Too fast into the double right-hander: two wheels, then four on the grass at its exit.
  { lap: 3, at: 0.54, overM: 150, asideM: 7.2, grip: 0.62, limitMps: 31 },
  // A locked wheel at the hairpin: wide, and late back on the throttle.
  { lap: 4, at: 0.325, overM: 60, asideM: 2.2, grip: 0.84 },
  // A careful pass through the chicane.
  { lap: 2, at: 0.668, overM: 70, asideM: 0.4, grip: 0.92 },
  // Corners that could have been better: a missed apex, a brake released late.
  { lap: 1, at: 0.107, overM: 90, asideM: 0.9, grip: 0.93 },
  { lap: 1, at: 0.488, overM: 120, asideM: 0.7, grip: 0.95 },
  { lap: 1, at: 0.915, overM: 80, asideM: 0.5, grip: 0.94 },
  { lap: 2, at: 0.318, overM: 50, asideM: 0.8, grip: 0.92 },
  { lap: 2, at: 0.873, overM: 80, asideM: -0.8, grip: 0.95 },
  { lap: 3, at: 0.255, overM: 100, asideM: -0.7, grip: 0.95 },
  { lap: 4, at: 0.918, overM: 90, asideM: 1.1, grip: 0.95 },
  { lap: 5, at: 0.257, overM: 90, asideM: -0.5, grip: 0.97 },
  { lap: 6, at: 0.107, overM: 90, asideM: 0.6, grip: 0.94 },
]

const STINT: Stint = {
  laps: [
    { pace: 0.84, seed: 11 },
    { pace: 0.93, seed: 23 },
    { pace: 0.951, seed: 37 },
    { pace: 0.97, seed: 41 },
    { pace: 0.966, seed: 59 },
    { pace: 0.983, seed: 67 },
    { pace: 0.972, seed: 71 },
  ],
  mistakes: MISTAKES,
  startsAt: 0.0125,
  isFromPits: true,
  stopsAt: 0.57,
}
