import { buildIbt, type IbtSpec, type IbtVariableSpec } from '@lapwing/simulator/build-ibt'
import { sensorsOf } from '@lapwing/simulator/testing/sensors'

/**
 * Returns a small `.ibt` file of an invented circuit: the last 40 % of an out lap, a complete lap for each
 * given time, and 30 % of a last lap. The simulator's own time of a lap follows a second after the line, as
 * in real files.
 */
export function anIbt({
  lapTimesS,
  simUserId = 424242,
  replaced = {},
  timeOfDay,
  names = {},
  ...overrides
}: AnIbt): Uint8Array {
  const boundaries = [outLapS]
  for (const timeS of lapTimesS) boundaries.push(boundaries.at(-1)! + timeS)
  const rows = Math.ceil((boundaries.at(-1)! + lastLapS) * rateHz)

  /** Returns the lap of a row, from 0, and the time of that whole lap at its pace. */
  const place = (row: number) => places[row]!
  let lap = 0
  const places = Array.from({ length: rows }, (_, row) => {
    while (row / rateHz >= boundaries[lap]!) lap++
    const timeS = lap === 0 ? outLapS / 0.4 : (lapTimesS[lap - 1] ?? lastLapS / 0.3)
    return { lap, timeS, sinceLineS: row / rateHz - (boundaries[lap - 1] ?? 0) }
  })
  /** Laps driven since the start line of lap 0; the file has its last 40 %. */
  const lapsDriven = (row: number): number => {
    const { lap, sinceLineS, timeS } = place(row)
    return lap === 0 ? 0.6 + sinceLineS / timeS : lap + sinceLineS / timeS
  }
  const lastScoredS = (row: number): number => {
    const { lap } = place(row)
    const isScored = row / rateHz > (boundaries[lap - 1] ?? 0) + 1
    return lapTimesS[lap - (isScored ? 2 : 3)] ?? -1
  }

  const share = (row: number) => lapsDriven(row) % 1
  const gear = (row: number) => 2 + Math.round(share(row) * 3)
  const angle = (row: number) => 2 * Math.PI * share(row)
  const ofRows = (value: (row: number) => number) => new Float64Array(rows).map((_, row) => value(row))
  const way = {
    Lat: ofRows(row => 51.5 + 0.0015 * Math.sin(angle(row))),
    Lon: ofRows(row => -1.25 + 0.0023 * Math.cos(angle(row))),
    Alt: ofRows(row => 120 + 3 * Math.sin(angle(row))),
    Speed: ofRows(row => lengthM / place(row).timeS),
  }
  const variables: IbtVariableSpec[] = [
    { name: 'SessionTime', type: 'double', unit: 's', values: row => 10 + row / rateHz },
    { name: 'SessionNum', type: 'int', values: () => 0 },
    { name: 'Lap', type: 'int', values: row => Math.floor(lapsDriven(row)) },
    { name: 'LapDistPct', type: 'float', values: share },
    { name: 'LapDist', type: 'float', unit: 'm', values: row => share(row) * lengthM },
    { name: 'LapLastLapTime', type: 'float', unit: 's', values: lastScoredS },
    { name: 'Lat', type: 'double', unit: 'deg', values: way.Lat },
    { name: 'Lon', type: 'double', unit: 'deg', values: way.Lon },
    { name: 'Alt', type: 'float', unit: 'm', values: way.Alt },
    { name: 'Speed', type: 'float', unit: 'm/s', values: way.Speed },
    { name: 'Throttle', type: 'float', values: row => 0.5 + 0.5 * Math.sin(3 * angle(row)) },
    { name: 'Brake', type: 'float', values: row => Math.max(0, -Math.sin(3 * angle(row))) },
    { name: 'Gear', type: 'int', values: gear },
    // A lap whose sensors contradict speed and gear is held for review.
    ...sensorsOf({ ...way, rpmPerMps: row => 250 / gear(row) }),
    { name: 'SteeringWheelAngle', type: 'float', unit: 'rad', values: row => 0.4 * Math.cos(angle(row)) },
    { name: 'OnPitRoad', type: 'bool', values: () => 0 },
    { name: 'PlayerTrackSurface', type: 'int', values: () => 3 },
  ]
  return buildIbt({
    rows,
    variables: variables.map(variable => {
      const valueAt = replaced[variable.name]
      return valueAt ? { ...variable, values: row => valueAt(lapsDriven(row)) } : variable
    }),
    sessionText: Object.entries(names)
      .reduce((text, [name, other]) => text.replaceAll(name, other), sessionText)
      .replaceAll('424242', String(simUserId))
      .replace(
        'SessionInfo:',
        match => (timeOfDay ? ` WeekendOptions:\n  TimeOfDay: ${timeOfDay}\n` : '') + match,
      ),
    ...overrides,
  })
}

export interface AnIbt extends Partial<IbtSpec> {
  /** Times of the complete laps, in order. */
  readonly lapTimesS: readonly number[]
  /** The driver's number in the simulator. */
  readonly simUserId?: number
  /** The simulated time of day, such as "2:05 pm". */
  readonly timeOfDay?: string
  /** Other names in the session text, by those that it has, such as `Lapwing Ring`. */
  readonly names?: Readonly<Record<string, string>>
  /** Other values of variables, by name, as functions of the laps driven: lap 1 goes from 1 to 2. */
  readonly replaced?: Readonly<Record<string, (lapsDriven: number) => number>>
}

const rateHz = 60
const lengthM = 1000
const outLapS = 8
const lastLapS = 6

const sessionText = `---
WeekendInfo:
 TrackName: lapwing ring
 TrackID: 1
 TrackLength: 1.00 km
 TrackDisplayName: Lapwing Ring
 TrackConfigName: Short
 TrackAirTemp: 21.50 C
 TrackSkies: Partly Cloudy
SessionInfo:
 Sessions:
 - SessionNum: 0
   SessionType: Practice
   SessionName: PRACTICE
 - SessionNum: 1
   SessionType: Race
   SessionName: HEAT 1
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
