import type { LapTrack } from '../compare/lap-track.ts'
import { apartM, type JoinableTrack, moveHalf } from './seams.ts'

/** Points of one lap that belong to the ideal lap. */
export interface PathStep {
  readonly lap: number
  readonly from: number
  readonly to: number
}

/**
 * Returns the seconds that a seam costs. If the lap before it was slower there, the car has to gain that speed: it is
 * slower than the lap after it, up to where that one brakes. If it was faster, it had to brake earlier.
 */
export function seamCostS(before: JoinableTrack, after: JoinableTrack, at: number): number {
  const [from, to] = [before.speed[at]!, after.speed[at]!]
  return from < to ? lateS(after, at, from, 1) : lateS(before, at, to, -1)
}

/** Returns the seconds that a lap loses from a point on, or up to it (-1), if it has a lower speed there. */
function lateS({ time, speed }: JoinableTrack, at: number, mps: number, step: 1 | -1): number {
  let square = mps * mps
  let seconds = 0
  for (let i = at; i + step >= 0 && i + step < speed.length && square < speed[i]! ** 2; i += step) {
    const next = nextSquare(square, speed[i]!, speed[i + step]!)
    seconds += Math.abs(time[i + step]! - time[i]!) * slowness(speed[i]!, speed[i + step]!, square, next)
    square = next
  }
  return seconds
}

/**
 * Returns the square of the speed a step further. Where the lap gained speed, the car does so with the same force. Where
 * it lost some, the car keeps its speed until both are equal. A car that is slower than the lap has the grip for both.
 */
function nextSquare(square: number, mps: number, nextMps: number): number {
  return Math.min(nextMps * nextMps, square + Math.max(0, nextMps * nextMps - mps * mps))
}

/** Returns the share of a step's time that a car needs more than the lap, by the speeds at both ends. */
function slowness(mps: number, nextMps: number, square: number, nextSquare: number): number {
  const own = Math.sqrt(square) + Math.sqrt(nextSquare)
  return own > STANDING_MPS ? (mps + nextMps) / own - 1 : 0
}

/** m/s. A car at rest has no speed to compare. */
const STANDING_MPS = 1

/**
 * Drives along a path of parts, and returns the lap. It never has a step in its speed, and none in its line: near a
 * seam the car moves over, which makes its way longer.
 */
export function drivenThrough(laps: readonly JoinableTrack[], path: readonly PathStep[]): LapTrack {
  const first = laps[path[0]!.lap]!
  const points = first.pct.length
  const last = points - 1
  const lapAt = new Int32Array(points)
  for (const { lap, from, to } of path) lapAt.fill(lap, from, to)
  lapAt[last] = lapAt[last - 1]!
  const moves = lineMoves(laps, path)

  const squares = new Float64Array(points)
  const cap = (i: number, lap: JoinableTrack): number => lap.speed[i]! ** 2
  for (let i = 0; i < points; i++) {
    const lap = laps[lapAt[i]!]!
    const lapBefore = laps[lapAt[Math.max(0, i - 1)]!]!
    squares[i] = Math.min(cap(i, lap), cap(i, lapBefore))
  }
  for (let i = 0; i < last; i++) {
    const { speed } = laps[lapAt[i]!]!
    squares[i + 1] = Math.min(squares[i + 1]!, nextSquare(squares[i]!, speed[i]!, speed[i + 1]!))
  }
  for (let i = last; i > 0; i--) {
    const { speed } = laps[lapAt[i - 1]!]!
    squares[i - 1] = Math.min(squares[i - 1]!, nextSquare(squares[i]!, speed[i]!, speed[i - 1]!))
  }

  const time = new Float64Array(points)
  for (let i = 0; i < last; i++) {
    const { time: its, speed } = laps[lapAt[i]!]!
    const slower = slowness(speed[i]!, speed[i + 1]!, squares[i]!, squares[i + 1]!)
    time[i + 1] = time[i]! + (its[i + 1]! - its[i]!) * (1 + slower) * moves.longer[i]!
  }
  const picked = <Values extends Float32Array | Float64Array | Int8Array>(
    values: Values,
    of: (lap: LapTrack) => Values | undefined,
  ): Values => {
    for (let i = 0; i < points; i++) values[i] = of(laps[lapAt[i]!]!)?.[i] ?? Number.NaN
    return values
  }
  const float = (name: 'throttle' | 'brake' | 'steering' | 'rpm' | 'alt') =>
    laps.every(lap => lap[name] !== undefined)
      ? { [name]: picked(new Float32Array(points), lap => lap[name]) }
      : {}
  const place = (name: 'lat' | 'lon') =>
    Float64Array.from({ length: points }, (_, i) => {
      const [a, b] = [laps[moves.from[i]!]![name][i]!, laps[moves.to[i]!]![name][i]!]
      return a + (b - a) * moves.share[i]!
    })
  return {
    lengthM: first.lengthM,
    timeMs: Math.round(1000 * time[last]!),
    pct: first.pct,
    time,
    ...float('throttle'),
    ...float('brake'),
    ...float('steering'),
    ...(laps.every(({ gear }) => gear) ? { gear: picked(new Int8Array(points), lap => lap.gear) } : {}),
    ...float('rpm'),
    speed: Float32Array.from(squares, Math.sqrt),
    lat: place('lat'),
    lon: place('lon'),
    ...float('alt'),
  }
}

/** How the car moves from line to line. */
interface LineMoves {
  /** For each point the two laps between whose lines the car is, and the share of the way from the first. */
  readonly from: Int32Array
  readonly to: Int32Array
  readonly share: Float64Array
  /** By how much each step is longer than along one line. */
  readonly longer: Float64Array
}

function lineMoves(laps: readonly JoinableTrack[], path: readonly PathStep[]): LineMoves {
  const { pct, lengthM } = laps[0]!
  const points = pct.length
  const stepM = lengthM / (points - 1)
  const moves: LineMoves = {
    from: new Int32Array(points),
    to: new Int32Array(points),
    share: new Float64Array(points),
    longer: new Float64Array(points).fill(1),
  }
  for (const { lap, from, to } of path) {
    moves.from.fill(lap, from, to + 1)
    moves.to.fill(lap, from, to + 1)
  }
  for (let i = 1; i < path.length; i++) {
    const [before, after] = [path[i - 1]!, path[i]!]
    const at = after.from
    const [a, b] = [laps[before.lap]!, laps[after.lap]!]
    const half = moveHalf(a, at)
    let asideM = 0
    for (let point = at - half; point <= at + half; point++) {
      const x = (point - at + half) / (2 * half)
      const share = x * x * (3 - 2 * x)
      moves.from[point] = before.lap
      moves.to[point] = after.lap
      moves.share[point] = share
      const nowM = share * apartM(a, b, point)
      if (point > at - half) moves.longer[point - 1] = Math.hypot(1, (nowM - asideM) / stepM)
      asideM = nowM
    }
  }
  return moves
}
