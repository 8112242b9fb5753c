import { buildIbt, type IbtSpec } from '@lapwing/simulator/build-ibt'
import { sensorsOf } from '@lapwing/simulator/testing/sensors'
import { channel, type SyntheticLaps } from './synthetic-laps.ts'

/** Returns a synthetic session as a file that the review accepts, with a constant gear ratio in each row. */
export function wholeFile(
  session: SyntheticLaps,
  rpmPerMps: (row: number) => number = () => 140,
  overrides: Partial<IbtSpec> = {},
): Uint8Array {
  const { columns, facts } = session
  const [Lat, Lon, Speed] = (['Lat', 'Lon', 'Speed'] as const).map(name => channel(session, name))
  return buildIbt({
    rows: columns.rows,
    startDate: new Date('2026-03-01T12:00:00Z'),
    variables: [
      ...[...columns.byName.values()].map(({ name, type, values }) => ({ name, type, values })),
      { name: 'Throttle', type: 'float', values: row => 0.5 + 0.5 * Math.sin(row / 70) },
      { name: 'Brake', type: 'float', values: row => Math.max(0, -Math.sin(row / 70)) },
      { name: 'SteeringWheelAngle', type: 'float', values: row => 0.4 * Math.sin(row / 90) },
      { name: 'Gear', type: 'int', values: () => 3 },
      ...sensorsOf({ Lat: Lat!, Lon: Lon!, Speed: Speed!, rpmPerMps }),
    ],
    sessionText: `---
WeekendInfo:
 TrackID: 5
 TrackLength: ${(facts.trackLengthM ?? 0) / 1000} km
 TrackDisplayName: Round Ring
DriverInfo:
 DriverCarIdx: 0
 Drivers:
 - CarIdx: 0
   UserID: 1
   CarPath: gt
   CarScreenName: GT
...
`,
    ...overrides,
  })
}
