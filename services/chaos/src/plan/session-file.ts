import { buildIbt, type IbtVariableSpec } from '@lapwing/simulator/build-ibt'
import { sensorsOf } from '@lapwing/simulator/testing/sensors'
import { channel, HZ, type SyntheticLaps, syntheticLaps } from '@lapwing/telemetry/testing/synthetic-laps'

/** A track and a car, with the names of the session text. */
export interface Combination {
  readonly trackId: number
  readonly trackName: string
  readonly carId: number
  readonly carName: string
}

/** A lap of the plan. */
export interface PlannedLap {
  readonly timeMs: number
  /** Whether the car is off the track for a second, so that the lap is complete but not clean. */
  readonly isDirty: boolean
}

/** The plan of a telemetry file. The same plan always gives the same bytes. */
export interface SessionFile {
  readonly combination: Combination
  /** The simulator's number of the driver. */
  readonly driverId: number
  /** In driving order; at least one. */
  readonly laps: readonly PlannedLap[]
  /** Start of the recording, ms since 1970; distinguishes files with the same laps. */
  readonly startedAtMs: number
  /** Meaningless bytes per row (60 rows a second), to make the file larger; none by default. */
  readonly paddingBytes?: number
}

/** Returns the file's bytes: about 100 kB per lap of 20 s, without padding. */
export function sessionFile(plan: SessionFile): Uint8Array {
  const { combination, driverId, laps, startedAtMs, paddingBytes = 0 } = plan
  const session = syntheticLaps({
    lapTimesS: laps.map(({ timeMs }) => timeMs / 1000),
    lengthM: trackLengthM,
    from: 0.95,
    // The simulator's time for the last lap arrives within two seconds.
    rowsAfter: 3 * HZ,
  })
  laps.forEach(({ isDirty }, index) => {
    if (isDirty) leaveTrack(session, session.lineRows[index]! + 5 * HZ)
  })
  return buildIbt({
    rows: session.columns.rows,
    startDate: new Date(startedAtMs),
    lapCount: laps.length,
    variables: [
      ...recorded(session),
      ...driven,
      ...sensors(session),
      ...(paddingBytes === 0 ? [] : [padding(paddingBytes, session.columns.rows)]),
    ],
    sessionText: sessionText(combination, driverId),
  })
}

/** The speed of a planned lap of 18 to 30 s is then 23 to 39 m/s. */
const trackLengthM = 700

function leaveTrack(session: SyntheticLaps, row: number): void {
  channel(session, 'PlayerTrackSurface').fill(0, row, row + HZ)
}

function recorded({ columns }: SyntheticLaps): IbtVariableSpec[] {
  return [...columns.byName.values()].map(({ name, type, values }) => ({ name, type, values }))
}

const driven: readonly IbtVariableSpec[] = [
  { name: 'Throttle', type: 'float', values: row => 0.5 + 0.5 * Math.sin(row / 70) },
  { name: 'Brake', type: 'float', values: row => Math.max(0, -Math.sin(row / 70)) },
  { name: 'Gear', type: 'int', values: () => 3 },
  { name: 'SteeringWheelAngle', type: 'float', values: row => 0.4 * Math.sin(row / 90) },
]

/** One gear, so that engine speed and speed agree: a lap that breaks a physical bound is held for review. */
function sensors(session: SyntheticLaps): readonly IbtVariableSpec[] {
  const of = (name: string) => channel(session, name)
  return sensorsOf({ Lat: of('Lat'), Lon: of('Lon'), Speed: of('Speed'), rpmPerMps: () => 140 })
}

function padding(count: number, rows: number): IbtVariableSpec {
  // An array is copied; a function would be called for each byte.
  return { name: 'Padding', type: 'char', count, values: new Uint8Array(rows * count).fill(7) }
}

function sessionText({ trackId, trackName, carId, carName }: Combination, driverId: number): string {
  return `---
WeekendInfo:
 TrackName: ${trackName.toLowerCase()}
 TrackID: ${trackId}
 TrackLength: ${trackLengthM / 1000} km
 TrackDisplayName: ${trackName}
 TrackConfigName:
DriverInfo:
 DriverCarIdx: 0
 DriverUserID: ${driverId}
 Drivers:
 - CarIdx: 0
   UserID: ${driverId}
   CarPath: ${carName.toLowerCase()}
   CarID: ${carId}
   CarScreenName: ${carName}
...
`
}
