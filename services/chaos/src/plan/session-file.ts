import { buildIbt, type IbtVariableSpec } from '@lapwing/telemetry/testing'
import { channel, HZ, type SyntheticLaps, syntheticLaps } from '@lapwing/telemetry/testing/synthetic-laps'

/** A track and a car, as the session text names them. */
export interface Combination {
  readonly trackId: number
  readonly trackName: string
  readonly carId: number
  readonly carName: string
}

/** A lap to be driven. */
export interface PlannedLap {
  readonly timeMs: number
  /** A second beside the track, after which the lap is complete and not clean. */
  readonly isDirty: boolean
}

/** A telemetry file, told by what it holds. The same plan always gives the same bytes. */
export interface SessionFile {
  readonly combination: Combination
  /** The simulator's number of the driver. */
  readonly driverId: number
  /** In the order in which they are driven; at least one. */
  readonly laps: readonly PlannedLap[]
  /** Start of the recording, ms since 1970; tells files of the same laps apart. */
  readonly startedAtMs: number
  /** Bytes a row, of which there are 60 a second, that say nothing; none unless given. */
  readonly paddingBytes?: number
}

/** The file's bytes: about 100 kB a lap of 20 s, without padding. */
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
      engineSpeed(session),
      ...(paddingBytes === 0 ? [] : [padding(paddingBytes)]),
    ],
    sessionText: sessionText(combination, driverId),
  })
}

/** A lap of the planned 18 to 30 s is driven at 23 to 39 m/s. */
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

/** In one gear, so that engine and speed agree: a lap that breaks a bound of physics is held for review. */
function engineSpeed(session: SyntheticLaps): IbtVariableSpec {
  const speed = channel(session, 'Speed')
  return { name: 'RPM', type: 'float', values: row => 140 * speed[row]! }
}

function padding(count: number): IbtVariableSpec {
  return { name: 'Padding', type: 'char', count, values: () => 7 }
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
