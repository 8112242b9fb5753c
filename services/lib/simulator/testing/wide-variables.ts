import type { VariableType } from '@lapwing/telemetry'
import type { IbtVariableSpec } from '../build-ibt.ts'
import { GRAVITY } from '../car.ts'

/**
 * Returns 299 variables in 1,152 bytes a row, as a current car records them. These are 207 floats, 55 ints,
 * 28 bools, 5 doubles, 3 bit fields and one array of 6 floats, none of them aligned. The channels of a
 * preview hold laps of `LAP_TIME_S` seconds round an ellipse; each other one holds a wave. The same row
 * always holds the same values.
 */
export function wideVariables(): IbtVariableSpec[] {
  const variables = [...DRIVE]
  for (const [type, total] of Object.entries(MIX) as [VariableType, number][]) {
    const missing = total - variables.filter(variable => variable.type === type && !variable.count).length
    for (let i = 0; i < missing; i++) variables.push(wave(type, i))
  }
  variables.push({
    name: 'SteeringWheelTorque_ST',
    type: 'float',
    count: 6,
    unit: 'N*m',
    values: (row, index) => 3 * Math.sin((row * 6 + index) / 50),
  })
  return variables.sort((a, b) => order(a.name) - order(b.name))
}

/** Single values of each type; the array is extra. */
const MIX: Partial<Record<VariableType, number>> = { float: 207, int: 55, bool: 28, double: 5, bitfield: 3 }

const LAP_TIME_S = 90
const TRACK_LENGTH_M = 4000
const SPEED_MPS = TRACK_LENGTH_M / LAP_TIME_S

const timeS = (row: number): number => 100 + row / 60
const lapsDriven = (row: number): number => (row + 1800) / 60 / LAP_TIME_S
const share = (row: number): number => lapsDriven(row) % 1
const angle = (row: number): number => 2 * Math.PI * share(row)
const gear = (row: number): number => 2 + (Math.floor(row / 200) % 5)

/** The halves of the ellipse's axes. */
const NORTH_M = 0.004 * 111_195
const EAST_M = 0.009 * 111_195 * Math.SQRT1_2
/** Metres for each radian of `angle`. */
const stepM = (row: number): number =>
  Math.hypot(NORTH_M * Math.cos(angle(row)), EAST_M * Math.sin(angle(row)))
const turnRateRps = (row: number): number =>
  ((2 * Math.PI) / LAP_TIME_S) * NORTH_M * (EAST_M / stepM(row) ** 2)

const DRIVE: readonly IbtVariableSpec[] = [
  { name: 'SessionTime', type: 'double', unit: 's', values: timeS },
  { name: 'Lat', type: 'double', unit: 'deg', values: row => 45 + 0.004 * Math.sin(angle(row)) },
  { name: 'Lon', type: 'double', unit: 'deg', values: row => 5 + 0.009 * Math.cos(angle(row)) },
  { name: 'SessionNum', type: 'int', values: () => 0 },
  { name: 'SessionFlags', type: 'bitfield', unit: 'irsdk_Flags', values: () => 0x8000_0000 },
  { name: 'Lap', type: 'int', values: row => Math.floor(lapsDriven(row)) },
  { name: 'LapCompleted', type: 'int', values: row => Math.floor(lapsDriven(row)) - 1 },
  { name: 'LapDistPct', type: 'float', unit: '%', values: share },
  { name: 'LapDist', type: 'float', unit: 'm', values: row => share(row) * TRACK_LENGTH_M },
  {
    name: 'LapLastLapTime',
    type: 'float',
    unit: 's',
    values: row => (lapsDriven(row - 45) < 2 ? -1 : LAP_TIME_S),
  },
  { name: 'Speed', type: 'float', unit: 'm/s', values: () => SPEED_MPS },
  { name: 'Throttle', type: 'float', unit: '%', values: row => 0.5 + 0.5 * Math.sin(row / 70) },
  { name: 'Brake', type: 'float', unit: '%', values: row => Math.max(0, -Math.sin(row / 70)) },
  { name: 'Gear', type: 'int', values: gear },
  // The sensors match the way: a lap that breaks a bound of physics is held for review.
  {
    name: 'RPM',
    type: 'float',
    unit: 'revs/min',
    values: row => (300 / gear(row)) * SPEED_MPS * (1 + 0.001 * Math.sin(row / 3)),
  },
  { name: 'SteeringWheelAngle', type: 'float', unit: 'rad', values: row => 0.4 * Math.sin(row / 90) },
  { name: 'Alt', type: 'float', unit: 'm', values: row => 200 + 8 * Math.cos(angle(row)) },
  {
    name: 'Yaw',
    type: 'float',
    unit: 'rad',
    values: row => Math.atan2(NORTH_M * Math.cos(angle(row)), -EAST_M * Math.sin(angle(row))),
  },
  { name: 'YawRate', type: 'float', unit: 'rad/s', values: row => turnRateRps(row) },
  { name: 'LatAccel', type: 'float', unit: 'm/s^2', values: row => SPEED_MPS * turnRateRps(row) },
  {
    name: 'LongAccel',
    type: 'float',
    unit: 'm/s^2',
    values: row => (-GRAVITY * 8 * Math.sin(angle(row))) / stepM(row),
  },
  { name: 'PlayerTrackSurface', type: 'int', unit: 'irsdk_TrkLoc', values: () => 3 },
  { name: 'PlayerCarMyIncidentCount', type: 'int', values: () => 0 },
  { name: 'OnPitRoad', type: 'bool', values: () => 0 },
  { name: 'IsOnTrack', type: 'bool', values: () => 1 },
]

const WAVES: Readonly<Record<VariableType, (row: number, i: number) => number>> = {
  char: row => row & 0x7f,
  bool: (row, i) => (row >> (5 + (i % 6))) & 1,
  int: (row, i) => (row >> 4) * (i + 1) - 1000,
  bitfield: (row, i) => (row * 2_654_435_761 + i) >>> 0,
  float: (row, i) => i + Math.fround(Math.sin(row / (20 + i))),
  double: (row, i) => i + Math.cos(row / (30 + i)),
}

function wave(type: VariableType, i: number): IbtVariableSpec {
  return { name: `Wave_${type}_${i}`, type, values: row => WAVES[type](row, i) }
}

/** Returns a fixed order that mixes the types, so that four-byte values have every remainder of 4. */
function order(name: string): number {
  let hash = 7
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) % 1_000_003
  return hash
}
