import { IbtError } from '../ibt/ibt-error.ts'
import { MAX_LAPS } from '../ibt/limits.ts'
import { type LapData, ROW } from './lap-data.ts'
import { findLines, type Lines, stepPct } from './lines.ts'

/**
 * What bounds a segment: the line; a reset, where the car leaves one position and continues at another; or
 * the first or last row of its session in the file.
 */
export type Edge = 'line' | 'reset' | 'file'

/** Rows of one run from line to line, or the part of it that a reset or an end of the file leaves. */
export interface Segment {
  readonly sessionNum: number
  /** First and last good row, inclusive. Bad and junk rows can lie between. */
  readonly rowStart: number
  readonly rowEnd: number
  readonly start: Edge
  readonly end: Edge
  /** SessionTime at the start line and at the finish line, interpolated in pct; NaN at another edge. */
  readonly openTimeS: number
  readonly closeTimeS: number
  /** SessionTime at the start line that ends it: `closeTimeS`, unless the lines are apart (D-29). */
  readonly wrapTimeS: number
  /** Good rows on both sides of the finish line: `rowEnd` and `rowAfter`, unless the lines are apart. */
  readonly rowFinish: number
  readonly rowPast: number
  /** Good row across the edge; -1 at an end of the session. */
  readonly rowBefore: number
  readonly rowAfter: number
  /**
   * Every row directly follows the one before, ahead by less than a hundredth of the lap. Nearly all laps are
   * even. Only the edges of such a lap can hold a gap or a jump.
   */
  readonly isEven: boolean
}

/**
 * Cuts the good rows into segments, in order and without overlap; each good row is in exactly one. Throws
 * `ibt.too_many_laps` above `MAX_LAPS` segments.
 */
export function findSegments(data: LapData): Segment[] {
  const { kind, rows, pct, timeS } = data
  // `kind` has one value in all good rows, so it replaces a missing counter.
  const sessionNum = data.channel.SessionNum ?? kind
  const counter = data.channel.Lap ?? kind
  const segments: Segment[] = []
  let first = nextGood(kind, 0, rows)
  if (first === rows) return segments

  let start: Edge = 'file'
  let openTimeS = Number.NaN
  let before = -1
  let last = first
  let isEven = true
  const isGood = (row: number): boolean => kind[row] === ROW.GOOD
  const close = (end: Edge, rowAfter: number): number => {
    const lines =
      end === 'line'
        ? findLines(pct, timeS, { first, a: last, b: rowAfter }, isGood)
        : noLines(last, rowAfter)
    if (segments.length === MAX_LAPS) throw new IbtError('ibt.too_many_laps', `more than ${MAX_LAPS}`)
    segments.push({
      sessionNum: sessionNum[first]!,
      rowStart: first,
      rowEnd: last,
      start,
      end,
      openTimeS,
      closeTimeS: lines.finishS,
      wrapTimeS: lines.startS,
      rowFinish: lines.rowFinish,
      rowPast: lines.rowPast,
      rowBefore: before,
      rowAfter,
      isEven,
    })
    return lines.startS
  }
  for (let row = nextGood(kind, first + 1, rows); row < rows; row = nextGood(kind, row + 1, rows)) {
    const step = pct[row]! - pct[last]!
    const stepS = timeS[row]! - timeS[last]!
    const isNext = row === last + 1 && step >= 0 && step < EVEN_STEP_PCT && stepS >= 0 && stepS <= MAX_GAP_S
    if (isNext && counter[row] === counter[last] && sessionNum[row] === sessionNum[last]) {
      last = row
      continue
    }
    const edge = edgeBetween(data, last, row)
    if (edge === null) isEven &&= isNext
    else {
      openTimeS = close(edge, edge === 'file' ? -1 : row)
      before = edge === 'file' ? -1 : last
      first = row
      start = edge
      isEven = true
    }
    last = row
  }
  close('file', -1)
  return segments
}

function noLines(rowFinish: number, rowPast: number): Lines {
  return { finishS: Number.NaN, startS: Number.NaN, rowFinish, rowPast }
}

/** Returns true if LapDistPct made a larger step than driving can explain. */
export function isJump(step: number): boolean {
  return step > MAX_STEP_PCT || step < -MAX_STEP_PCT
}

const EVEN_STEP_PCT = 0.01

/** Longest step of SessionTime without a gap: six ticks, plus the error of a difference of doubles. */
export const MAX_GAP_S = 0.1 + 1e-6

/** Includes the error of a float32 LapDistPct. */
const MAX_STEP_PCT = 0.02 + 1e-6

function nextGood(kind: Uint8Array, from: number, rows: number): number {
  let row = from
  while (row < rows && kind[row] !== ROW.GOOD) row++
  return row
}

function edgeBetween(data: LapData, a: number, b: number): Edge | null {
  const { pct, timeS, kind } = data
  const { SessionNum: sessionNum, Lap: lap } = data.channel
  if (sessionNum !== null && sessionNum[a] !== sessionNum[b]) return 'file'
  // SessionTime restarts with each session, so a fall separates sessions that SessionNum does not.
  if (timeS[b]! < timeS[a]! - SESSION_RESTART_S) return 'file'
  const from = pct[a]!
  const to = pct[b]!
  const step = stepPct(from, to)
  // The counter goes back only with the car.
  if (lap !== null && lap[b]! < lap[a]!) return 'reset'
  const mayBeReset = isJump(step) || (b > a + 1 && hasJunk(kind, a, b))
  if (mayBeReset && isTeleport(data, a, b, step)) return 'reset'
  return from > 0.9 && to < 0.1 ? 'line' : null
}

const SESSION_RESTART_S = 1

function hasJunk(kind: Uint8Array, a: number, b: number): boolean {
  for (let row = a + 1; row < b; row++) if (kind[row] === ROW.JUNK) return true
  return false
}

/**
 * Returns true if the car cannot have driven from one row to the other. LapDistPct alone does not show it: it
 * also leaps if the car cuts a hairpin and comes nearer to a later part of the track.
 */
function isTeleport(data: LapData, a: number, b: number, step: number): boolean {
  const { Lat: lat, Lon: lon, Speed: speed } = data.channel
  const timeS = Math.abs(data.timeS[b]! - data.timeS[a]!)
  const speedMps = speed === null ? Number.NaN : Math.max(speed[a]!, speed[b]!)
  const reachM = TELEPORT_M + 2 * (Number.isFinite(speedMps) ? speedMps : UNKNOWN_SPEED_MPS) * timeS
  if (lat !== null && lon !== null) {
    const apartM = distanceM(lat[a]!, lon[a]!, lat[b]!, lon[b]!)
    if (!Number.isNaN(apartM)) return apartM > reachM
  }
  if (data.trackLengthM !== null) return !(Math.abs(step) * data.trackLengthM <= reachM)
  return isJump(step)
}

/** A reset moves the car farther than this; two rows at speed are not this far apart. */
const TELEPORT_M = 10
const UNKNOWN_SPEED_MPS = 100

/** Metres of a degree of latitude. */
export const M_PER_DEGREE = 111_195

/**
 * Returns the flat distance in metres between two positions in degrees, exact to 0.1 % over a track's length.
 */
export function distanceM(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const north = (lat2 - lat1) * M_PER_DEGREE
  const east = (lon2 - lon1) * M_PER_DEGREE * Math.cos((lat1 * Math.PI) / 180)
  return Math.hypot(north, east)
}
