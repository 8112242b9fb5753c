import { GRAVITY } from '../car.ts'
import { wrapped } from '../wrapped.ts'

/** How an invented car moves: one value for each row, 60 rows a second. */
export interface InventedDrive {
  /** Degrees. A value that is no position leaves the course as it was. */
  readonly Lat: ArrayLike<number>
  readonly Lon: ArrayLike<number>
  /** m/s. */
  readonly Speed: ArrayLike<number>
  /** Metres; a flat road by default. */
  readonly Alt?: ArrayLike<number>
  /** Engine speed for each m/s of a row, in rpm; depends on the gear. */
  readonly rpmPerMps: (row: number) => number
}

/**
 * Returns the sensors that every file of the simulator has, as variables for `buildIbt`. A file without them
 * is held for review. They match positions, height and speed, and shake a little, as those of a car do.
 */
export function sensorsOf({ Lat, Lon, Speed, Alt, rpmPerMps }: InventedDrive) {
  const rows = Speed.length
  const yaw = new Float64Array(rows)
  const yawRate = new Float64Array(rows)
  const along = new Float64Array(rows)
  const across = new Float64Array(rows)
  const course = new Float64Array(rows)
  const slope = new Float64Array(rows)
  const eastPerDegree = M_PER_DEGREE * Math.cos((Lat[rows >> 1]! * Math.PI) / 180)
  for (let row = 0; row < rows; row++) {
    const [a, b] = [Math.max(0, row - 1), Math.min(rows - 1, row + 1)]
    const [x, y] = [(Lon[b]! - Lon[a]!) * eastPerDegree, (Lat[b]! - Lat[a]!) * M_PER_DEGREE]
    const stepM = Math.hypot(x, y)
    const before = course[row - 1] ?? 0
    const isStep = stepM > 0.01 && stepM < MAX_STEP_M
    course[row] = isStep ? before + wrapped(Math.atan2(y, x) - before) : before
    if (isStep && Alt !== undefined) slope[row] = (Alt[b]! - Alt[a]!) / stepM
  }
  for (let row = 0; row < rows; row++) {
    const [a, b] = [Math.max(0, row - 1), Math.min(rows - 1, row + 1)]
    const seconds = (b - a) / HZ
    const rate = (course[b]! - course[a]!) / seconds
    const change = (Speed[b]! - Speed[a]!) / seconds
    const shake = Math.sin(row / 3)
    yaw[row] = wrapped(course[row]! - (SHAKE_RPS * 3 * Math.cos(row / 3)) / HZ)
    yawRate[row] = rate + SHAKE_RPS * shake
    // A lap of another pace begins with a step of speed, which no car can do.
    along[row] =
      (Math.abs(change) < MAX_CHANGE_MPS2 ? change : 0) + GRAVITY * slope[row]! + SHAKE_MPS2 * shake
    across[row] = Speed[row]! * rate + SHAKE_MPS2 * shake
  }
  const rpm = new Float64Array(rows).map((_, row) => {
    return rpmPerMps(row) * Speed[row]! * (1 + 0.001 * Math.sin(row / 3))
  })
  return [
    { name: 'Yaw', type: 'float', unit: 'rad', values: yaw },
    { name: 'YawRate', type: 'float', unit: 'rad/s', values: yawRate },
    { name: 'LongAccel', type: 'float', unit: 'm/s^2', values: along },
    { name: 'LatAccel', type: 'float', unit: 'm/s^2', values: across },
    { name: 'RPM', type: 'float', unit: 'revs/min', values: rpm },
  ] as const
}

const HZ = 60
const M_PER_DEGREE = 111_195
/** From row to row but one. A longer one is a leap between two positions. */
const MAX_STEP_M = 10
const MAX_CHANGE_MPS2 = 30
const SHAKE_RPS = 0.003
const SHAKE_MPS2 = 0.05
