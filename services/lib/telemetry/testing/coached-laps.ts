import type { Column, Columns, ColumnValues } from '../columns.ts'
import type { Corner } from '../corners/corner.ts'

/** What a simulated driver does in one corner, in metres from the line. */
export interface CoachedCorner {
  readonly liftM: number
  /** Null if the driver only lifts. */
  readonly brakeM: number | null
  readonly releaseM: number | null
  readonly apexM: number
  readonly throttleM: number
  readonly minSpeedMps: number
  readonly endM: number
}

export interface CoachedLap {
  readonly corners: readonly CoachedCorner[]
  /** Speed on the straights, m/s. */
  readonly topMps: number
  /** Metres at which the car leaves the track and comes back. It has half of its speed in between. */
  readonly off?: { readonly fromM: number; readonly toM: number }
}

export interface CoachedSession {
  readonly lengthM: number
  /** A part of the first lap comes before them, and a part of the last one after them. */
  readonly laps: readonly CoachedLap[]
  /** Which habits the driver has that no figure may mistake. */
  readonly habits: {
    /** Share of the throttle on which the foot rests during braking. */
    readonly rest: number
    /** Whether each downshift opens the throttle for 0.12 s. */
    readonly hasBlips: boolean
    /** Whether the driver dabs: lets the brake go for 0.2 s in the middle of braking. */
    readonly dabs: boolean
    /** Whether the throttle closes for 0.1 s at an upshift, 0.25 s after it was pressed. */
    readonly hasShifts: boolean
  }
  /** Seconds from the line to the first row after it. */
  readonly phaseS: number
  /** Rows that the simulator did not write. */
  readonly missing: ReadonlySet<number>
}

const HZ = 60
/** Metres in which a pedal moves. */
const MOVE_M = 4
const BRAKE = 0.7

/** Returns the session as columns of a file, with the line's rows of each lap. */
export function coachedSession(session: CoachedSession): Columns {
  const { lengthM, laps, phaseS, missing } = session
  const driven = [laps[0]!, ...laps, laps.at(-1)!].map(lap => timed(lap, session))
  const rows: { timeS: number; lap: number; alongM: number; speedMps: number }[] = []
  let openS = -0.8 * driven[0]!.lapS
  const scores: { readonly atS: number; readonly lapS: number }[] = []
  for (const [lap, { lapS, at }] of driven.entries()) {
    const closeS = openS + lapS
    if (lap > 0 && lap < driven.length - 1) scores.push({ atS: closeS + 0.75, lapS })
    const endS = lap === driven.length - 1 ? openS + 0.4 * lapS : closeS
    for (let row = Math.ceil((openS - phaseS) * HZ); (row + phaseS * HZ) / HZ < endS; row++) {
      const timeS = row / HZ + phaseS
      if (timeS < 0 || timeS < openS) continue
      rows.push({ timeS, lap, ...at(timeS - openS) })
    }
    openS = closeS
  }
  const kept = rows.filter((_, row) => !missing.has(row))
  const { throttle, brake } = pedals(session)
  const columns = new Map<string, Column>()
  const add = (
    name: string,
    type: 'float' | 'double' | 'int',
    of: (row: (typeof rows)[0]) => number,
  ): void => {
    const Values = { float: Float32Array, double: Float64Array, int: Int32Array }[type]
    const values: ColumnValues = new Values(kept.length)
    for (const [i, row] of kept.entries()) values[i] = of(row)
    columns.set(name, { name, type, count: 1, unit: '', values })
  }
  const lapOf = (lap: number): CoachedLap => laps[Math.min(laps.length - 1, Math.max(0, lap - 1))]!
  const isOff = ({ lap, alongM }: (typeof rows)[0]): boolean => {
    const { off } = lapOf(lap)
    return off !== undefined && alongM >= off.fromM && alongM <= off.toM
  }
  add('SessionTime', 'double', ({ timeS }) => 500 + timeS)
  add('SessionTick', 'int', ({ timeS }) => 30_000 + Math.round(timeS * HZ))
  add('Lap', 'int', ({ lap }) => lap + 1)
  add('LapDistPct', 'float', ({ alongM }) => alongM / lengthM)
  add('LapDist', 'float', ({ alongM }) => alongM)
  add('LapLastLapTime', 'float', ({ timeS }) => scores.findLast(({ atS }) => atS <= timeS)?.lapS ?? -1)
  add('Speed', 'float', ({ speedMps }) => speedMps)
  add('Throttle', 'float', row => throttle(lapOf(row.lap), row.alongM, row.speedMps))
  add('Brake', 'float', row => brake(lapOf(row.lap), row.alongM, row.speedMps))
  add('PlayerTrackSurface', 'int', row => (isOff(row) ? 0 : 3))
  add('PlayerCarMyIncidentCount', 'int', () => 0)
  add('SessionFlags', 'int', () => 0)
  return { rows: kept.length, byName: columns }
}

/** Returns the speed of a lap at each metre. */
export function speedOf({ corners, topMps, off }: CoachedLap): (alongM: number) => number {
  const before = (alongM: number): number => {
    const corner = corners.find(({ liftM, endM }) => alongM >= liftM && alongM <= endM)
    if (corner === undefined) return topMps
    const { liftM, apexM, endM, minSpeedMps } = corner
    // A half-wave down to the apex and one up from it: smooth, with one lowest point.
    const share = alongM < apexM ? (apexM - alongM) / (apexM - liftM) : (alongM - apexM) / (endM - apexM)
    return minSpeedMps + (topMps - minSpeedMps) * (0.5 - 0.5 * Math.cos(Math.PI * share))
  }
  if (off === undefined) return before
  const { fromM, toM } = off
  const middleM = (fromM + toM) / 2
  // The car has lost its speed before it leaves the track, and needs the same way to get it back.
  const reachM = 1.5 * (toM - fromM)
  return alongM => {
    const away = Math.min(1, Math.abs(alongM - middleM) / reachM)
    return before(alongM) * (1 - 0.25 * (1 + Math.cos(Math.PI * away)))
  }
}

function timed(lap: CoachedLap, { lengthM }: CoachedSession) {
  const speed = speedOf(lap)
  const stepM = 0.25
  const points = Math.round(lengthM / stepM)
  const timesS = new Float64Array(points + 1)
  for (let i = 1; i <= points; i++) {
    timesS[i] = timesS[i - 1]! + lengthM / points / speed((i - 0.5) * (lengthM / points))
  }
  return {
    lapS: timesS[points]!,
    at(timeS: number) {
      let low = 0
      let high = points
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if (timesS[middle]! <= timeS) low = middle
        else high = middle
      }
      const share = (timeS - timesS[low]!) / (timesS[high]! - timesS[low]!)
      const alongM = Math.min(lengthM * (1 - 1e-9), ((low + share) * lengthM) / points)
      return { alongM, speedMps: speed(alongM) }
    },
  }
}

/** Rises from 0 to 1 in the metres from `fromM` on in which a pedal moves. */
const move = (alongM: number, fromM: number): number => Math.min(1, Math.max(0, (alongM - fromM) / MOVE_M))

function pedals({ habits }: CoachedSession) {
  const cornerAt = ({ corners }: CoachedLap, alongM: number): CoachedCorner | undefined =>
    corners.find(({ liftM, endM }) => alongM >= liftM && alongM <= endM)
  return {
    throttle(lap: CoachedLap, alongM: number, speedMps: number): number {
      const corner = cornerAt(lap, alongM)
      if (corner === undefined) return 1
      const { liftM, brakeM, releaseM, throttleM } = corner
      const sinceS = (alongM - throttleM) / speedMps
      if (habits.hasShifts && sinceS >= 0.25 && sinceS < 0.35) return habits.rest
      const held = Math.max(1 - move(alongM, liftM), move(alongM, throttleM))
      if (habits.hasBlips && brakeM !== null && releaseM !== null) {
        const blipM = brakeM + 0.4 * (releaseM - brakeM)
        if (alongM >= blipM && alongM < blipM + 0.12 * speedMps) return 0.8
      }
      return Math.max(habits.rest, held)
    },
    brake(lap: CoachedLap, alongM: number, speedMps: number): number {
      const corner = cornerAt(lap, alongM)
      if (corner?.brakeM == null || corner.releaseM === null) return 0.02
      const { brakeM, releaseM } = corner
      const dabM = brakeM + 0.6 * (releaseM - brakeM)
      if (habits.dabs && alongM >= dabM && alongM < dabM + 0.2 * speedMps) return 0
      return Math.max(0.02, BRAKE * Math.min(move(alongM, brakeM), move(releaseM, alongM)))
    },
  }
}

/** Returns the corners of the track as every driver has them: not where this one lifts, but near it. */
export function cornersOf({ corners }: CoachedLap, lengthM: number): readonly Corner[] {
  return corners.map(({ liftM, apexM, endM }, i) => ({
    number: String(i + 1),
    name: `Turn ${i + 1}`,
    knownAs: null,
    kind: 'turn',
    direction: 'left',
    startPct: (liftM + 12) / lengthM,
    apexPct: (apexM - 3) / lengthM,
    endPct: endM / lengthM,
  }))
}
