import type { Lap, LapReason, Preview } from '@lapwing/telemetry'

export interface APreviewOptions {
  /** Number of complete laps between the out lap and the unfinished last one. */
  readonly completeLaps?: number
  readonly sampleRateHz?: number
  /** Driven length in metres. */
  readonly lengthM?: number
}

/**
 * Returns an example session on an invented circuit, the same at every call. Row 0 is blank, as in real
 * files. Then come an out lap from mid-track, complete laps (each slightly faster), and an unfinished one.
 * Speeds follow the circuit's curvature, so the traces look real.
 */
export function aPreview({
  completeLaps = 3,
  sampleRateHz = 60,
  lengthM = 3200,
}: APreviewOptions = {}): Preview {
  const circuit = makeCircuit(lengthM)
  const rows: Sample[] = [blankRow]
  const laps: Lap[] = []
  let time = 12

  for (let number = 1; number <= completeLaps + 2; number++) {
    const isFirst = number === 1
    const isLast = number === completeLaps + 2
    const pace = 0.96 + 0.006 * number
    const end = isLast ? lengthM * 0.4 : lengthM
    const rowStart = rows.length
    const startTime = time
    for (let distance = isFirst ? lengthM * 0.7 : 0; distance < end; ) {
      const sample = drive(circuit, distance, pace, number, time)
      rows.push(sample)
      distance += sample.speed / sampleRateHz
      time += 1 / sampleRateHz
    }
    const reasons: LapReason[] = isFirst ? ['NO_OPEN', 'OUT'] : isLast ? ['NO_CLOSE'] : []
    const seconds = isFirst || isLast ? null : Math.round((time - startTime) * 1000) / 1000
    laps.push({
      lap: number,
      is_completed: reasons.length === 0,
      is_clean: reasons.length === 0,
      reasons,
      time_s: seconds,
      time_fmt: seconds === null ? null : formatTime(seconds),
      time_source: seconds === null ? null : 'interpolated',
      row_start: rowStart,
      row_end: rows.length - 1,
      incidents: [],
      session_num: 0,
      session_name: null,
    })
  }

  return {
    lat: Float64Array.from(rows, row => row.lat),
    lon: Float64Array.from(rows, row => row.lon),
    lapDist: Float32Array.from(rows, row => row.distance),
    lapDistPct: Float32Array.from(rows, row => row.distance / lengthM),
    alt: Float32Array.from(rows, row => row.alt),
    throttle: Float32Array.from(rows, row => row.throttle),
    brake: Float32Array.from(rows, row => row.brake),
    gear: Int8Array.from(rows, row => row.gear),
    rpm: Float32Array.from(rows, row => row.rpm),
    steeringWheelAngle: Float32Array.from(rows, row => row.steering),
    speed: Float32Array.from(rows, row => row.speed),
    sessionTime: Float64Array.from(rows, row => row.time),
    laps,
    meta: {
      sim: 'iracing',
      track_slug: 'plover-park',
      layout: 'default',
      car_slug: 'training-single-seater',
      track_label: 'Plover Park',
      car_label: 'Training Single-Seater',
      track_length_m: lengthM,
      red_line_rpm: 7200,
      shift_rpm: 6900,
      sample_rate_hz: sampleRateHz,
      time_of_day_s: null,
      weather: { AirTemp: 22, Skies: 1 },
    },
    debug: {
      weekend: { TrackDisplayName: 'Plover Park', TrackName: 'plover park' },
      car: { CarScreenName: 'Training Single-Seater', CarPath: 'training single-seater' },
      rows: rows.length,
      partial: false,
      missing: [],
    },
  }
}

interface Sample {
  readonly lat: number
  readonly lon: number
  readonly alt: number
  readonly distance: number
  readonly speed: number
  readonly throttle: number
  readonly brake: number
  readonly gear: number
  readonly rpm: number
  readonly steering: number
  readonly time: number
}

const blankRow: Sample = {
  lat: 0,
  lon: 0,
  alt: 0,
  distance: 0,
  speed: 0,
  throttle: 0,
  brake: 0,
  gear: 0,
  rpm: 0,
  steering: 0,
  time: 12,
}

interface Circuit {
  readonly stepM: number
  /** Metres east and north of the origin, one value every `stepM`. */
  readonly east: Float64Array
  readonly north: Float64Array
  /** 1/m, positive to the left. */
  readonly curvature: Float64Array
  /** The speed in m/s that a car can hold there. */
  readonly speed: Float64Array
}

const corners: readonly (readonly [number, number])[] = [
  [0, 0],
  [5, 0.4],
  [8.6, 0.2],
  [9.4, 2],
  [7.4, 2.8],
  [7.8, 4.6],
  [5.6, 5.4],
  [4.4, 3.6],
  [3, 3.1],
  [2.6, 5],
  [0.4, 5.4],
  [-1.8, 3.6],
  [-1.6, 1],
]

/** Returns a closed Catmull-Rom curve through the corners, in equal steps and scaled to its length. */
function makeCircuit(lengthM: number): Circuit {
  const fine: [number, number][] = []
  for (let i = 0; i < corners.length; i++) {
    for (let step = 0; step < 200; step++) fine.push(curve(i, step / 200))
  }
  fine.push(fine[0]!)
  const along = [0]
  for (let i = 1; i < fine.length; i++) {
    along.push(along[i - 1]! + Math.hypot(fine[i]![0] - fine[i - 1]![0], fine[i]![1] - fine[i - 1]![1]))
  }
  const scale = lengthM / along.at(-1)!
  const steps = Math.round(lengthM / 4)
  const stepM = lengthM / steps
  const east = new Float64Array(steps)
  const north = new Float64Array(steps)
  for (let i = 0, j = 1; i < steps; i++) {
    const wanted = (i * stepM) / scale
    while (along[j]! < wanted) j++
    const share = (wanted - along[j - 1]!) / (along[j]! - along[j - 1]!)
    east[i] = scale * (fine[j - 1]![0] + share * (fine[j]![0] - fine[j - 1]![0]))
    north[i] = scale * (fine[j - 1]![1] + share * (fine[j]![1] - fine[j - 1]![1]))
  }

  const curvature = new Float64Array(steps)
  const at = (i: number) => (i + steps) % steps
  const reach = 5
  for (let i = 0; i < steps; i++) {
    const before = Math.atan2(north[i]! - north[at(i - reach)]!, east[i]! - east[at(i - reach)]!)
    const after = Math.atan2(north[at(i + reach)]! - north[i]!, east[at(i + reach)]! - east[i]!)
    const turn = Math.atan2(Math.sin(after - before), Math.cos(after - before))
    curvature[i] = turn / (reach * stepM)
  }

  // Grip limits the speed in a corner; engine and brakes limit how fast it changes before.
  const speed = Float64Array.from(curvature, k => Math.min(58, Math.sqrt(14 / Math.max(Math.abs(k), 1e-4))))
  for (let pass = 0; pass < 2 * steps; pass++) {
    const i = pass % steps
    const pull = 6 * (1 - speed[i]! / 70)
    speed[at(i + 1)] = Math.min(speed[at(i + 1)]!, Math.sqrt(speed[i]! ** 2 + 2 * pull * stepM))
  }
  for (let pass = 2 * steps; pass > 0; pass--) {
    const i = pass % steps
    speed[at(i - 1)] = Math.min(speed[at(i - 1)]!, Math.sqrt(speed[i]! ** 2 + 2 * 11 * stepM))
  }
  return { stepM, east, north, curvature, speed }
}

function curve(i: number, t: number): [number, number] {
  const n = corners.length
  const p = [corners[(i + n - 1) % n]!, corners[i]!, corners[(i + 1) % n]!, corners[(i + 2) % n]!] as const
  const axis = (k: 0 | 1) =>
    0.5 *
    (2 * p[1][k] +
      (p[2][k] - p[0][k]) * t +
      (2 * p[0][k] - 5 * p[1][k] + 4 * p[2][k] - p[3][k]) * t ** 2 +
      (3 * p[1][k] - p[0][k] - 3 * p[2][k] + p[3][k]) * t ** 3)
  return [axis(0), axis(1)]
}

/** Speed in m/s at which the car shifts up from gear 1, 2, ... */
const shiftSpeeds = [17, 25, 34, 44]

function drive(circuit: Circuit, distance: number, pace: number, lap: number, time: number): Sample {
  const steps = circuit.east.length
  const position = distance / circuit.stepM
  const i = Math.floor(position) % steps
  const next = (i + 1) % steps
  const share = position - Math.floor(position)
  const mix = (values: Float64Array) => values[i]! + share * (values[next]! - values[i]!)
  const speed = mix(circuit.speed) * pace
  const acceleration = ((circuit.speed[next]! - circuit.speed[i]!) * circuit.speed[i]!) / circuit.stepM
  const gear = 1 + shiftSpeeds.filter(shift => speed > shift).length
  const low = gear === 1 ? 0 : shiftSpeeds[gear - 2]!
  const high = shiftSpeeds[gear - 1] ?? 60
  // Every lap runs wide in a slightly different way.
  const wide = 2 * Math.sin(distance / 300 + lap)
  const wobble = 0.01 * Math.sin(distance * 0.9) * Math.cos(distance * 0.13)
  return {
    lat: 51.2 + (mix(circuit.north) + wide) / 111_132,
    lon: -1.4 + mix(circuit.east) / (111_320 * Math.cos((51.2 * Math.PI) / 180)),
    alt: 80 + 6 * Math.sin(distance / 400),
    distance,
    speed,
    throttle: clamp(acceleration < -0.4 ? 0 : 0.25 + acceleration / 2.2),
    brake: clamp(acceleration > -1.6 ? 0 : -acceleration / 11),
    gear,
    rpm: 3400 + (3900 * (speed - low * 0.7)) / (high - low * 0.7),
    steering: 9 * mix(circuit.curvature) + wobble,
    time,
  }
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

function formatTime(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${minutes}:${(seconds - 60 * minutes).toFixed(3).padStart(6, '0')}`
}
