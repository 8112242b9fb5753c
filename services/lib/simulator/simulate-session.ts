import { smooth } from '@lapwing/telemetry/smooth'
import { buildIbt, type IbtVariableSpec } from './build-ibt.ts'
import { type Car, GRAVITY } from './car.ts'
import { buildCircuit, type Circuit, type Road, valueAt } from './circuit.ts'
import { type Drive, driveStint, TICK_S } from './drive-stint.ts'
import { planStint, type Stint, type StintPlan, ZONE } from './plan-stint.ts'
import { smoothNoise } from './random.ts'
import { timeLine } from './time-line.ts'
import { wrapped } from './wrapped.ts'

/** A session to simulate. */
export interface SimulatedSession {
  readonly road: Road
  readonly car: Car
  readonly stint: Stint
  readonly names: SessionNames
  readonly startedAt: Date
  /** Ticks that the simulator did not write; each leaves a step of 0.0333 s. */
  readonly missingTicks: readonly number[]
  /** True if the file has the car's position on Earth: on the moor of Greywater Park. */
  readonly hasPlaces: boolean
  /** True if the file also has the channels that neither judging nor comparing needs. */
  readonly hasAllChannels: boolean
}

export interface SessionNames {
  readonly trackId: number
  /** The simulator's short name, such as `greywater grandprix`. */
  readonly trackName: string
  readonly trackDisplayName: string
  readonly trackDisplayShortName: string
  /** Of the layout; empty if the track has only one. */
  readonly trackConfigName: string
  readonly carPath: string
  readonly carScreenName: string
  /** Omitted if zero, as for a made-up car. */
  readonly carId: number
  /** The driver number; omitted if zero. */
  readonly driverId: number
}

/** Returns the bytes of an `.ibt` file of a simulated session; the same bytes for the same session. */
export function simulateSession(session: SimulatedSession): Uint8Array {
  const circuit = circuitOf(session.road)
  const plan = planStint(circuit, session.car, session.stint)
  const drive = driveStint(plan, circuit)
  const rows = recordedTicks(drive.ticks, session.missingTicks)
  return buildIbt({
    rows: rows.length,
    startDate: session.startedAt,
    startTimeS: SESSION_START_S,
    endTimeS: SESSION_START_S + drive.ticks * TICK_S,
    lapCount: session.stint.laps.length - 1,
    sessionText: sessionText(circuit, session),
    variables: channels(circuit, plan, drive)
      .filter(([name]) => session.hasPlaces || !PLACES.has(name))
      .filter(([name]) => session.hasAllChannels || !FURTHER.has(name))
      .map(([name, type, unit, description, value]) => ({
        name,
        type,
        unit,
        description,
        values: recorded(rows, value, JUNK_ROW[name] ?? 0),
      })),
  })
}

const PLACES: ReadonlySet<string> = new Set(['Lat', 'Lon', 'Alt'])

const FURTHER: ReadonlySet<string> = new Set([
  ...['SessionTick', 'SessionState', 'IsOnTrackCar', 'LapBestLap', 'LapBestLapTime', 'LapCurrentLapTime'],
  ...['Clutch', 'VertAccel', 'Pitch', 'FuelLevel'],
  ...['WaterTemp', 'OilTemp', 'LFtempM', 'RFtempM', 'LRtempM', 'RRtempM'],
])

/** Most of the time goes into the ideal line, which is the same for every session of a road. */
const circuits = new WeakMap<Road, Circuit>()

function circuitOf(road: Road): Circuit {
  const known = circuits.get(road)
  if (known !== undefined) return known
  const built = buildCircuit(road)
  circuits.set(road, built)
  return built
}

/** SessionTime of the first tick. */
const SESSION_START_S = 1284.3

/** Values of row 0, which the simulator often leaves blank except for these. */
const JUNK_ROW: Readonly<Record<string, number>> = {
  SessionTime: SESSION_START_S - TICK_S,
  SessionTick: 77_057,
  SessionState: 4,
  SessionFlags: 0x10040200,
  IsOnTrack: 1,
  PlayerTrackSurface: -1,
  AirTemp: 17.8,
  TrackTemp: 24.6,
  PaceMode: 4,
}

/** Returns the tick of each row; -1 for the blank row. */
function recordedTicks(ticks: number, missing: readonly number[]): Int32Array {
  const rows: number[] = [-1]
  for (let t = 0; t < ticks; t++) if (!missing.includes(t)) rows.push(t)
  return Int32Array.from(rows)
}

function recorded(rows: Int32Array, value: (tick: number) => number, junk: number): (row: number) => number {
  return row => (rows[row] === -1 ? junk : value(rows[row]!))
}

type Channel = readonly [
  name: string,
  type: IbtVariableSpec['type'],
  unit: string,
  description: string,
  value: (tick: number) => number,
]

function channels(circuit: Circuit, plan: StintPlan, drive: Drive): readonly Channel[] {
  const perLap = circuit.eastM.length
  const { at, speedMps, lateralMps2, accelMps2 } = drive
  const time = timeLine(drive, plan.start, perLap)
  const zoneAt = (t: number): number => plan.zone[Math.min(plan.zone.length - 1, Math.floor(at[t]!))]!
  const share = (t: number): number => {
    const laps = (plan.start + at[t]!) / perLap
    return laps - Math.floor(laps)
  }
  const onCircuit = (values: Float64Array) => (t: number) => valueAt(values, plan.start + at[t]!)
  const aside = (t: number): number => valueAt(plan.aside, Math.min(at[t]!, plan.aside.length - 2))
  const headings = periodicHeading(circuit)
  const heading = (t: number): number => {
    const position = plan.start + at[t]!
    return valueAt(headings, position) - (2 * Math.PI * position) / perLap
  }
  const east = onCircuit(circuit.eastM)
  const north = onCircuit(circuit.northM)
  const placeE = (t: number): number => east(t) - aside(t) * Math.sin(heading(t))
  const placeN = (t: number): number => north(t) + aside(t) * Math.cos(heading(t))
  const altitude = onCircuit(circuit.altM)
  const body = bodyMotion(drive, placeE, placeN, altitude)
  const incidents = incidentCounts(drive, plan)
  const shake = smoothNoise(901, 3)
  const bump = smoothNoise(902, 2)
  const heave = smoothNoise(903, 24)
  // A moving car always shakes: more with speed, and six times as much on grass.
  const rough = (t: number): number => (speedMps[t]! / 60) * (zoneAt(t) === ZONE.GRASS ? 4.5 : 0.75)
  // Sliding tyres grip and slip many times a second.
  const chatter = (t: number): number => rough(t) + (0.13 * Math.abs(lateralMps2[t]!) * speedMps[t]!) / 60
  const roll = (t: number): number => 0.0014 * lateralMps2[t]! + 0.0006 * rough(t) * heave(t + 90)
  const isStanding = (t: number): boolean => speedMps[t] === 0
  const temperature = tyreTemperatures(drive)

  return [
    ['SessionTime', 'double', 's', 'Seconds since session start', t => SESSION_START_S + t * TICK_S],
    ['SessionTick', 'int', '', 'Current update number', t => 77_058 + t],
    ['SessionNum', 'int', '', 'Session number', () => 0],
    ['SessionState', 'int', 'irsdk_SessionState', 'Session state', () => 4],
    ['SessionFlags', 'bitfield', 'irsdk_Flags', 'Session flags', () => 0x10040200],
    ['IsOnTrack', 'bool', '', '1=Car on track physics running with player in car', () => 1],
    ['IsOnTrackCar', 'bool', '', '1=Car on track physics running', () => 1],
    [
      'OnPitRoad',
      'bool',
      '',
      'Is the player car on pit road between the cones',
      t => Number(zoneAt(t) === ZONE.PIT_ROAD),
    ],
    ['PlayerCarInPitStall', 'bool', '', 'Players car is properly in there pitstall', t => Number(at[t]! < 1)],
    [
      'PlayerTrackSurface',
      'int',
      'irsdk_TrkLoc',
      'Players car track surface type',
      t => (at[t]! < 1 ? 1 : SURFACE[zoneAt(t)]!),
    ],
    [
      'PlayerCarMyIncidentCount',
      'int',
      '',
      'Players own incident count for this session',
      t => incidents[t]!,
    ],
    ['PaceMode', 'int', 'irsdk_PaceMode', 'Are we pacing or not', () => 4],
    ['Lap', 'int', '', 'Laps started count', t => time.lap[t]!],
    ['LapCompleted', 'int', '', 'Laps completed count', t => Math.max(0, time.lap[t]! - 1)],
    ['LapDist', 'float', 'm', 'Meters traveled from S/F this lap', t => share(t) * circuit.lengthM],
    ['LapDistPct', 'float', '%', 'Percentage distance around lap', share],
    ['LapBestLap', 'int', '', 'Players best lap number', t => time.bestLap[t]!],
    ['LapBestLapTime', 'float', 's', 'Players best lap time', t => time.bestLapTime[t]!],
    ['LapLastLapTime', 'float', 's', 'Players last lap time', t => time.lastLapTime[t]!],
    [
      'LapCurrentLapTime',
      'float',
      's',
      'Estimate of players current lap time as shown in F3 box',
      t => time.currentLapTime[t]!,
    ],
    ['Lat', 'double', 'deg', 'Latitude in decimal degrees', t => latitude(placeN(t))],
    ['Lon', 'double', 'deg', 'Longitude in decimal degrees', t => longitude(placeE(t))],
    ['Alt', 'float', 'm', 'Altitude in meters', t => altitude(t) + 0.012 * rough(t) * heave(t)],
    ['Speed', 'float', 'm/s', 'GPS vehicle speed', t => speedMps[t]!],
    ['Throttle', 'float', '%', '0=off throttle to 1=full throttle', t => drive.throttle[t]!],
    ['Brake', 'float', '%', '0=brake released to 1=max pedal force', t => drive.brake[t]!],
    ['Clutch', 'float', '%', '0=disengaged to 1=fully engaged', t => drive.clutch[t]!],
    ['Gear', 'int', '', '-1=reverse  0=neutral  1..n=current gear', t => drive.gear[t]!],
    ['RPM', 'float', 'revs/min', 'Engine rpm', t => drive.rpm[t]!],
    ['SteeringWheelAngle', 'float', 'rad', 'Steering wheel angle', t => drive.steeringRad[t]!],
    [
      'LatAccel',
      'float',
      'm/s^2',
      'Lateral acceleration (including gravity)',
      t => body.acrossMps2[t]! + GRAVITY * roll(t) + chatter(t) * shake(t),
    ],
    [
      'LongAccel',
      'float',
      'm/s^2',
      'Longitudinal acceleration (including gravity)',
      t => body.alongMps2[t]! + 0.6 * rough(t) * bump(t + 7000) + shiftKick(drive, t),
    ],
    [
      'VertAccel',
      'float',
      'm/s^2',
      'Vertical acceleration (including gravity)',
      t => GRAVITY + 2.6 * rough(t) * bump(t),
    ],
    ['Yaw', 'float', 'rad', 'Yaw orientation', t => wrapped(body.yawRad[t]!)],
    ['YawRate', 'float', 'rad/s', 'Yaw rate', t => body.yawRateRps[t]! + 0.016 * chatter(t) * shake(t + 400)],
    ['Roll', 'float', 'rad', 'Roll orientation', roll],
    [
      'Pitch',
      'float',
      'rad',
      'Pitch orientation',
      t => -0.0009 * accelMps2[t]! + 0.0006 * rough(t) * heave(t + 300),
    ],
    ['AirTemp', 'float', 'C', 'Temperature of air at start/finish line', t => 17.8 + 2e-6 * t],
    ['TrackTemp', 'float', 'C', 'Temperature of track at start/finish line', t => 24.6 + 1.3e-5 * t],
    ['FuelLevel', 'float', 'l', 'Liters of fuel remaining', t => 44 - 2.7 * (at[t]! / perLap)],
    [
      'WaterTemp',
      'float',
      'C',
      'Engine coolant temp',
      t => 86 - 9 * Math.exp(-t / 4200) + (isStanding(t) ? 0 : 0.4 * heave(t / 40)),
    ],
    [
      'OilTemp',
      'float',
      'C',
      'Engine oil temperature',
      t => 104 - 26 * Math.exp(-t / 7800) + 0.3 * heave(t / 55 + 60),
    ],
    ['LFtempM', 'float', 'C', 'LF tire middle surface temperature', t => temperature.left[t]! + 3],
    ['RFtempM', 'float', 'C', 'RF tire middle surface temperature', t => temperature.right[t]! + 2],
    ['LRtempM', 'float', 'C', 'LR tire middle surface temperature', t => temperature.left[t]! + 5],
    ['RRtempM', 'float', 'C', 'RR tire middle surface temperature', t => temperature.right[t]! + 4],
  ]
}

interface BodyMotion {
  readonly yawRad: Float64Array
  readonly yawRateRps: Float64Array
  /** What the car's sensors measure, gravity included. */
  readonly alongMps2: Float64Array
  readonly acrossMps2: Float64Array
}

/**
 * Returns the sensor values of the way along the positions: one motion, so that no channel contradicts
 * another.
 */
function bodyMotion(
  { ticks, speedMps, accelMps2 }: Drive,
  east: (tick: number) => number,
  north: (tick: number) => number,
  altitude: (tick: number) => number,
): BodyMotion {
  const eastM = new Float64Array(ticks).map((_, t) => east(t))
  const northM = new Float64Array(ticks).map((_, t) => north(t))
  const slope = new Float64Array(ticks)
  const courseRad = new Float64Array(ticks)
  for (let t = 1; t < ticks - 1; t++) {
    const x = eastM[t + 1]! - eastM[t - 1]!
    const y = northM[t + 1]! - northM[t - 1]!
    // A car that does not move has the course of the next one in which it moves, or else its last.
    const moved = Math.hypot(x, y)
    const before = courseRad[t - 1]!
    courseRad[t] = moved < 0.02 ? before : before + wrapped(Math.atan2(y, x) - before)
    slope[t] = moved < 0.02 ? 0 : (altitude(t + 1) - altitude(t - 1)) / moved
  }
  courseRad[ticks - 1] = courseRad[ticks - 2]!
  const smoothCourse = smooth(courseRad, 3, false)
  const bentMps2 = changes(smoothCourse).map((rate, t) => rate * speedMps[t]!)
  const slipRad = bentMps2.map(across => SLIP_RAD * across)
  const yawRad = smoothCourse.map((course, t) => course + slipRad[t]!)
  return {
    yawRad,
    yawRateRps: changes(yawRad),
    alongMps2: accelMps2.map((along, t) => {
      const level = along * Math.cos(slipRad[t]!) + bentMps2[t]! * Math.sin(slipRad[t]!)
      return level + GRAVITY * slope[t]!
    }),
    acrossMps2: bentMps2.map(
      (across, t) => across * Math.cos(slipRad[t]!) - accelMps2[t]! * Math.sin(slipRad[t]!),
    ),
  }
}

/** Radians by which the car points into the bend for each m/s² of lateral acceleration. */
const SLIP_RAD = 0.004

/** Returns the change of each value a second. */
function changes(values: Float64Array): Float64Array {
  return values.map((_, t) => {
    const a = Math.max(0, t - 1)
    const b = Math.min(values.length - 1, t + 1)
    return (values[b]! - values[a]!) / ((b - a) * TICK_S)
  })
}

/** irsdk_TrkLoc by `ZONE`: on track, off track, approaching pits twice. */
const SURFACE: readonly number[] = [3, 0, 2, 2]

/** Returns the incident counts: one point for the trip over the grass, 0.6 s after the car left the track. */
function incidentCounts({ ticks, at }: Drive, plan: StintPlan): Int32Array {
  const counts = new Int32Array(ticks)
  let isOff = false
  let count = 0
  let countAt = Number.POSITIVE_INFINITY
  for (let t = 0; t < ticks; t++) {
    const onGrass = plan.zone[Math.min(plan.zone.length - 1, Math.floor(at[t]!))] === ZONE.GRASS
    if (onGrass && !isOff) countAt = t + 36
    isOff = onGrass
    if (t === countAt) count++
    counts[t] = count
  }
  return counts
}

/** Returns the heading without the full turn of a lap, so that it is continuous across the line. */
function periodicHeading({ headingRad }: Circuit): Float64Array {
  return headingRad.map((heading, i) => heading + (2 * Math.PI * i) / headingRad.length)
}

/** Returns the jolt of an upshift: the engine stops pushing for three ticks, then pushes hard. */
function shiftKick({ gear, throttle, accelMps2 }: Drive, t: number): number {
  if (throttle[t]! < 0.5 || accelMps2[t]! < 0) return 0
  if (gear[t] === 0) return -2.6
  return t > 4 && gear[t - 1] === 0 ? 2.9 : t > 4 && gear[t - 3] === 0 ? -1.1 : 0
}

/** Returns °C of the tread by side: the outer tyres heat up in a corner, all of them under braking. */
function tyreTemperatures({ ticks, lateralMps2, accelMps2, speedMps }: Drive): {
  left: Float64Array
  right: Float64Array
} {
  const left = new Float64Array(ticks)
  const right = new Float64Array(ticks)
  let leftC = 52
  let rightC = 51
  for (let t = 0; t < ticks; t++) {
    const lateral = lateralMps2[t]!
    const work = 0.028 * speedMps[t]! * (1 + 0.03 * Math.abs(accelMps2[t]!))
    const cooling = 0.00055 * (1 + speedMps[t]! / 40)
    leftC += work * 0.012 * (1 + 0.075 * Math.max(0, -lateral)) - cooling * (leftC - 40)
    rightC += work * 0.012 * (1 + 0.075 * Math.max(0, lateral)) - cooling * (rightC - 40)
    left[t] = leftC
    right[t] = rightC
  }
  return { left, right }
}

/** Open moorland in the Scottish Borders, without any circuit. WGS 84, degrees. */
const ORIGIN = { latitude: 55.372, longitude: -2.931 }
const M_PER_DEGREE_NORTH = 111_326
const M_PER_DEGREE_EAST = 63_410

function latitude(northM: number): number {
  return ORIGIN.latitude + northM / M_PER_DEGREE_NORTH
}

function longitude(eastM: number): number {
  return ORIGIN.longitude + eastM / M_PER_DEGREE_EAST
}

function sessionText({ lengthM }: Circuit, { names, car }: SimulatedSession): string {
  return `---
WeekendInfo:
 TrackName: ${names.trackName}
 TrackID: ${names.trackId}
 TrackLength: ${(lengthM / 1000).toFixed(2)} km
 TrackDisplayName: ${names.trackDisplayName}
 TrackDisplayShortName: ${names.trackDisplayShortName}
 TrackConfigName: ${names.trackConfigName}
 TrackSkies: Partly Cloudy
 TrackAirTemp: 17.80 C
 TeamRacing: 0
 EventType: Practice
SessionInfo:
 Sessions:
 - SessionNum: 0
   SessionType: Practice
   SessionName: PRACTICE
DriverInfo:
 DriverCarIdx: 0
${names.driverId === 0 ? '' : ` DriverUserID: ${names.driverId}\n`} DriverCarRedLine: ${car.redLineRpm}.000
 DriverCarSLShiftRPM: ${car.shiftRpm}.000
 Drivers:
 - CarIdx: 0
   UserName: Sample Driver
${names.driverId === 0 ? '' : `   UserID: ${names.driverId}\n`}   CarPath: ${names.carPath}
${names.carId === 0 ? '' : `   CarID: ${names.carId}\n`}   CarScreenName: ${names.carScreenName}
SplitTimeInfo:
 Sectors:
 - SectorNum: 0
   SectorStartPct: 0.000000
 - SectorNum: 1
   SectorStartPct: 0.352000
 - SectorNum: 2
   SectorStartPct: 0.693000
...
`
}
