import { type IbtSpec, type IbtVariableSpec, ibtChunks } from '@lapwing/simulator/build-ibt'
import type { BenchContext } from './bench.ts'
import { generatedFile } from './generated-file.ts'

/** Rows of the one complete lap. */
export const LONG_LAP_ROWS = 100_000

/**
 * Returns the path of a generated telemetry file with one complete lap of 100,000 rows: 28 minutes at 60 Hz.
 */
export function longLapFile(context: BenchContext): string {
  return generatedFile(context, 'long-ring.ibt', () => ibtChunks(longLapSpec()))
}

export function longLapSpec(): IbtSpec {
  let lengthM = 0
  for (let row = OUT_ROWS; row < OUT_ROWS + LONG_LAP_ROWS; row++) lengthM += stepM(row)
  return {
    rows: OUT_ROWS + LONG_LAP_ROWS + IN_ROWS,
    variables: variables(lengthM),
    sessionText: sessionText(lengthM),
  }
}

/** Rows before and after the lap. The simulator's time of a lap arrives a second after the line. */
const OUT_ROWS = 600
const IN_ROWS = 600

const LAP_S = LONG_LAP_ROWS / 60

const lapsDriven = (row: number): number => 1 + (row - OUT_ROWS + 0.5) / LONG_LAP_ROWS
const share = (row: number): number => lapsDriven(row) % 1
const angle = (row: number): number => 2 * Math.PI * share(row)

/** Radius of the track, m: a ring some 24 km across, with bends. */
const radiusM = (row: number): number =>
  11_000 + 900 * Math.sin(7 * angle(row)) + 250 * Math.sin(31 * angle(row)) + 40 * Math.sin(150 * angle(row))

const northM = (row: number): number => radiusM(row) * Math.sin(angle(row))
const eastM = (row: number): number => radiusM(row) * Math.cos(angle(row))

/** Metres driven from half a row before to half a row after. */
const stepM = (row: number): number =>
  Math.hypot(northM(row + 0.5) - northM(row - 0.5), eastM(row + 0.5) - eastM(row - 0.5))

const M_PER_DEGREE = 111_195
const LAT = 45

const variables = (lengthM: number): readonly IbtVariableSpec[] => [
  { name: 'SessionTime', type: 'double', unit: 's', values: row => 10 + row / 60 },
  { name: 'SessionNum', type: 'int', values: () => 0 },
  { name: 'Lap', type: 'int', values: row => Math.floor(lapsDriven(row)) },
  { name: 'LapDistPct', type: 'float', values: share },
  { name: 'LapDist', type: 'float', unit: 'm', values: row => share(row) * lengthM },
  {
    name: 'LapLastLapTime',
    type: 'float',
    unit: 's',
    values: row => (row < OUT_ROWS + LONG_LAP_ROWS + 60 ? -1 : LAP_S),
  },
  {
    name: 'Lat',
    type: 'double',
    unit: 'deg',
    values: row => LAT + northM(row) / M_PER_DEGREE,
  },
  {
    name: 'Lon',
    type: 'double',
    unit: 'deg',
    values: row => 5 + eastM(row) / (M_PER_DEGREE * Math.cos((LAT * Math.PI) / 180)),
  },
  { name: 'Alt', type: 'float', unit: 'm', values: row => 300 + 80 * Math.sin(3 * angle(row)) },
  { name: 'Speed', type: 'float', unit: 'm/s', values: row => stepM(row) * 60 },
  { name: 'Throttle', type: 'float', values: row => Math.min(1, Math.max(0, 0.6 + Math.sin(row / 170))) },
  { name: 'Brake', type: 'float', values: row => Math.max(0, -0.4 - Math.sin(row / 170)) },
  { name: 'Gear', type: 'int', values: row => 3 + Math.round(1.5 + 1.5 * Math.sin(row / 170)) },
  {
    name: 'RPM',
    type: 'float',
    unit: 'revs/min',
    values: row => 5200 + 1800 * Math.sin(row / 170) + 60 * Math.sin(row / 1.7),
  },
  {
    name: 'SteeringWheelAngle',
    type: 'float',
    unit: 'rad',
    values: row => 0.6 * Math.sin(row / 240) + 0.02 * Math.sin(row / 2.3),
  },
  { name: 'OnPitRoad', type: 'bool', values: () => 0 },
  { name: 'PlayerTrackSurface', type: 'int', values: () => 3 },
]

const sessionText = (lengthM: number): string => `---
WeekendInfo:
 TrackName: long ring
 TrackID: 2
 TrackLength: ${(lengthM / 1000).toFixed(2)} km
 TrackDisplayName: Long Ring
 TrackConfigName:
 TrackAirTemp: 20.00 C
 TrackSkies: Clear
DriverInfo:
 DriverCarIdx: 0
 Drivers:
 - CarIdx: 0
   UserName: Driver One
   UserID: 1
   CarPath: formula
   CarScreenName: Formula
...
`
