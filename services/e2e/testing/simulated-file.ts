import { GREYWATER_PARK, LAPWING_GT, simulateSession } from '@lapwing/simulator'

/** Returns a session of the sample's simulator, with names that have a board. Smaller paces are slower. */
export function simulatedFile({ startedAt = '2026-05-16T13:20:00Z', pace = 0.95 } = {}): Uint8Array {
  return simulateSession({
    road: GREYWATER_PARK,
    car: LAPWING_GT,
    stint: {
      laps: [11, 23, 37, 41].map(seed => ({ pace: pace + seed / 2000, seed })),
      mistakes: [{ lap: 2, at: 0.54, overM: 150, asideM: 7.2, grip: 0.62, limitMps: 31 }],
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
    hasAllChannels: false,
  })
}
