import { simulateSession } from '@lapwing/simulator'
import type { DemoEntry } from './draw-entries.ts'

/** Returns the telemetry file of an entry: a run-up, one lap, and the seconds until it is timed. */
export function demoFile({ driver, board, pace, seed, isDirty, startedAt }: DemoEntry): Uint8Array {
  return simulateSession({
    road: board.road,
    car: board.car,
    stint: {
      laps: [
        { pace: 0.9 * pace, seed: seed + 1 },
        { pace, seed },
        { pace: 0.95 * pace, seed: seed + 2 },
      ],
      // At a place where every road is straight, or on the outside of a corner: cutting would be another
      // offence.
      mistakes: isDirty ? [{ lap: 1, at: 0.75, overM: 90, asideM: 8 + board.road.roomM, grip: 0.7 }] : [],
      startsAt: 0.8,
      isFromPits: false,
      stopsAt: 0.06,
    },
    names: {
      trackId: board.trackId,
      trackName: board.trackName,
      trackDisplayName: board.trackDisplayName,
      trackDisplayShortName: board.trackDisplayName,
      trackConfigName: board.trackConfigName,
      carPath: board.carPath,
      carScreenName: board.carScreenName,
      carId: board.carId,
      driverId: driver.simDriverId,
    },
    startedAt,
    missingTicks: [],
    hasPlaces: board.isFictional,
    hasAllChannels: false,
  })
}
