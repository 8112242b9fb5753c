import { crc32 } from 'node:zlib'
import { buildIbt, type IbtVariableSpec } from '@lapwing/simulator/build-ibt'
import { sensorsOf } from '@lapwing/simulator/testing/sensors'
import type { ColumnValues } from '@lapwing/telemetry'
import { channel, HZ, type SyntheticLaps, syntheticLaps } from '@lapwing/telemetry/testing/synthetic-laps'

export interface FileOptions {
  /** Seconds of each whole lap. */
  readonly lapTimesS?: readonly number[]
  readonly driverId?: number | null
  readonly teamId?: number
  readonly trackId?: number | null
  readonly trackName?: string | null
  readonly layoutName?: string | null
  readonly carName?: string | null
  /** Engine speed for each metre a second in its one gear; 140 unless given. */
  readonly gearRatio?: number
  /** The number of that gear; 3 unless given. */
  readonly gear?: number
  readonly lengthM?: number
  /** Such as `Practice`; the file names no session unless given. */
  readonly sessionType?: string
  /** Such as `21.5 C`; none unless given. */
  readonly airTemp?: string
  /** Such as `Partly Cloudy`; none unless given. */
  readonly skies?: string
  /** Seconds recorded after the last line; the simulator's time for the lap arrives after 0.75 s. */
  readonly afterS?: number
  /** The official time of each lap; the laps' own times unless given. */
  readonly scores?: readonly number[]
  /** Start of the recording; makes files of the same laps different. */
  readonly startedAt?: Date
  /** Changes the recorded channels. */
  readonly spoil?: (spoil: Spoil) => void
  /** Bytes of padding a row, for a larger file. */
  readonly padding?: number
}

export interface Spoil {
  readonly lineRows: SyntheticLaps['lineRows']
  channel(name: string): ColumnValues
}

let files = 0

/**
 * Returns a telemetry file with laps of a round track of 700 m, after a part of one and before another part.
 * Files differ in their bytes unless `startedAt` is given.
 */
export function aFile(options: FileOptions = {}): Uint8Array {
  const {
    lapTimesS = [20, 19.5],
    lengthM = 700,
    afterS = 3,
    scores = lapTimesS,
    padding = 0,
    gearRatio = 140,
    gear = 3,
  } = options
  const session = syntheticLaps({
    lapTimesS,
    lengthM,
    from: 0.95,
    rowsAfter: Math.round(afterS * HZ),
    scores,
  })
  options.spoil?.({ lineRows: session.lineRows, channel: name => channel(session, name) })
  const of = (name: string) => channel(session, name)
  return buildIbt({
    rows: session.columns.rows,
    startDate: options.startedAt ?? new Date(Date.UTC(2026, 0, 1) + 1000 * ++files),
    lapCount: lapTimesS.length,
    variables: [
      ...[...session.columns.byName.values()].map(({ name, type, values }) => ({ name, type, values })),
      ...driven,
      { name: 'Gear', type: gear % 1 === 0 ? 'int' : 'float', values: () => gear },
      // In one gear, so that engine speed and speed agree.
      ...sensorsOf({ Lat: of('Lat'), Lon: of('Lon'), Speed: of('Speed'), rpmPerMps: () => gearRatio }),
      ...(padding === 0 ? [] : [paddingOf(padding, session.columns.rows)]),
    ],
    sessionText: sessionText(options, lengthM),
  })
}

function paddingOf(count: number, rows: number): IbtVariableSpec {
  // An array is copied; a function would be called for each byte.
  return { name: 'Padding', type: 'char', count, values: new Uint8Array(rows * count).fill(7) }
}

const driven: readonly IbtVariableSpec[] = [
  { name: 'Throttle', type: 'float', values: row => 0.5 + 0.5 * Math.sin(row / 70) },
  { name: 'Brake', type: 'float', values: row => Math.max(0, -Math.sin(row / 70)) },
  { name: 'SteeringWheelAngle', type: 'float', values: row => 0.4 * Math.sin(row / 90) },
]

/** Returns the number of a track: different names are different tracks unless a test gives a number. */
function numberOf(trackName: string): number {
  return 1 + (crc32(trackName) >>> 1)
}

function sessionText(options: FileOptions, lengthM: number): string {
  const { driverId = 1, teamId = 0, trackName = 'Round Ring', layoutName = null } = options
  const { trackId = numberOf(trackName ?? '') } = options
  const { carName = 'Lapwing GT' } = options
  const line = (key: string, value: string | number | null) => (value === null ? [] : [`${key}: ${value}`])
  return [
    '---',
    'WeekendInfo:',
    ...line(' TrackID', trackId),
    ...line(' TrackLength', `${lengthM / 1000} km`),
    ...line(' TrackDisplayName', trackName),
    ...line(' TrackConfigName', layoutName),
    ...line(' TrackAirTemp', options.airTemp ?? null),
    ...line(' TrackSkies', options.skies ?? null),
    'DriverInfo:',
    ' DriverCarIdx: 0',
    ' Drivers:',
    ' - CarIdx: 0',
    '   UserName: Canary Driver',
    ...line('   UserID', driverId),
    ...line('   TeamID', teamId),
    ...line('   CarPath', carName?.toLowerCase() ?? null),
    '   CarID: 5',
    ...line('   CarScreenName', carName),
    ...(options.sessionType === undefined
      ? []
      : ['SessionInfo:', ' Sessions:', ' - SessionNum: 0', `   SessionType: ${options.sessionType}`]),
    '...',
    '',
  ].join('\n')
}
