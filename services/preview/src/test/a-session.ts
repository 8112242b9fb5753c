import { buildIbt, type IbtSpec, type IbtVariableSpec } from '@lapwing/simulator/build-ibt'

/**
 * Returns a small complete `.ibt` file: two and a half laps of 20 s, with every channel that a preview shows.
 */
export function aSession(overrides?: Partial<IbtSpec>): Uint8Array {
  return overrides === undefined ? whole : buildIbt(sessionSpec(overrides))
}

export function sessionSpec(overrides: Partial<IbtSpec> = {}): IbtSpec {
  return { rows: 50 * 60, variables, sessionText, ...overrides }
}

const lapS = 20
const lapsDriven = (row: number) => row / 60 / lapS + 0.75
const share = (row: number) => lapsDriven(row) % 1
const angle = (row: number) => 2 * Math.PI * share(row)
const speedMps = (2 * Math.PI * 160) / lapS

const variables: readonly IbtVariableSpec[] = [
  { name: 'SessionTime', type: 'double', unit: 's', values: row => 10 + row / 60 },
  { name: 'SessionNum', type: 'int', values: () => 0 },
  { name: 'Lap', type: 'int', values: row => Math.floor(lapsDriven(row)) + 1 },
  { name: 'LapDistPct', type: 'float', values: share },
  { name: 'LapDist', type: 'float', unit: 'm', values: row => share(row) * 2 * Math.PI * 160 },
  { name: 'LapLastLapTime', type: 'float', unit: 's', values: row => (lapsDriven(row) > 2.02 ? lapS : -1) },
  { name: 'Lat', type: 'double', unit: 'deg', values: row => 51.5 + 0.0015 * Math.sin(angle(row)) },
  { name: 'Lon', type: 'double', unit: 'deg', values: row => -1.25 + 0.0023 * Math.cos(angle(row)) },
  { name: 'Alt', type: 'float', unit: 'm', values: row => 120 + 3 * Math.sin(angle(row)) },
  { name: 'Speed', type: 'float', unit: 'm/s', values: () => speedMps },
  { name: 'Throttle', type: 'float', values: row => 0.5 + 0.5 * Math.sin(3 * angle(row)) },
  { name: 'Brake', type: 'float', values: row => Math.max(0, -Math.sin(3 * angle(row))) },
  { name: 'Gear', type: 'int', values: row => 2 + Math.round(share(row) * 3) },
  { name: 'RPM', type: 'float', values: row => 5000 + 2000 * Math.sin(5 * angle(row)) },
  { name: 'SteeringWheelAngle', type: 'float', unit: 'rad', values: row => 0.4 * Math.cos(angle(row)) },
  { name: 'OnPitRoad', type: 'bool', values: () => 0 },
  { name: 'PlayerTrackSurface', type: 'int', values: () => 3 },
]

const sessionText = `---
WeekendInfo:
 TrackName: lapwing ring
 TrackID: 1
 TrackLength: 1.01 km
 TrackDisplayName: Lapwing Ring
 TrackConfigName: Short
 TrackAirTemp: 21.50 C
 TrackSkies: Partly Cloudy
DriverInfo:
 DriverCarIdx: 0
 DriverUserID: 424242
 DriverCarRedLine: 7200.000
 Drivers:
 - CarIdx: 0
   UserName: Canary Driver
   UserID: 424242
   CarPath: lapwing gt
   CarID: 1
   CarScreenName: Lapwing GT
...
`

/** Built once, because most tests send it. */
const whole = buildIbt(sessionSpec())
