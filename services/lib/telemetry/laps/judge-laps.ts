import { hasEditedClock } from './clock.ts'
import { isJump, MAX_GAP_S, type Segment } from './find-segments.ts'
import { contradictsGround, isGroundKnown, pathLengthM } from './ground.ts'
import { findRises, SURFACE_OFF_TRACK } from './incidents.ts'
import type { LapReason } from './lap.ts'
import { type LapData, ROW } from './lap-data.ts'
import { stepPct } from './lines.ts'
import { contradictsPhysics } from './physics/contradicts-physics.ts'
import { hasPitVisit } from './pit-visits.ts'
import { hasRun } from './runs.ts'
import { MAX_TIME_DIFFERENCE_S, type Timing } from './time-laps.ts'

/** One segment to judge, with its neighbours. */
export interface LapCase {
  readonly data: LapData
  readonly segment: Segment
  readonly previous: Segment | null
  readonly next: Segment | null
  readonly timing: Timing
}

/**
 * Every reason a lap can have, in the order of the answer, and the rule that finds it. The first nine make a
 * lap incomplete, the others unclean (`lap.ts`). Each rule reads its channels once.
 */
export const LAP_RULES: Readonly<Record<LapReason, (lap: LapCase) => boolean>> = {
  NO_OPEN: ({ segment }) => segment.start !== 'line',
  NO_CLOSE: ({ segment }) => segment.end !== 'line',
  JUMP: hasJump,
  NOT_SCORED: ({ timing }) => timing.isUnscored,
  TIME_MISMATCH: hasTimeMismatch,
  OUT: ({ data, segment }) => hasPitVisit(data, segment, 'first half'),
  IN: ({ data, segment }) => hasPitVisit(data, segment, 'second half'),
  GAP: hasGap,
  IMPLAUSIBLE: isImplausible,
  OFF_TRACK: isOffTrack,
  INCIDENT: hasIncident,
  CAUTION: isUnderCaution,
  GRID: isFromGrid,
  JOKER: isJoker,
  UNVERIFIABLE: ({ data, segment }) =>
    data.isUnverifiable || !hasSpeed(data, segment) || !isGroundKnown(data, segment),
}

/** Returns the reasons of one segment; empty if the lap is clean. */
export function judgeLap(lap: LapCase): LapReason[] {
  return REASONS.filter(reason => LAP_RULES[reason](lap))
}

const REASONS = Object.keys(LAP_RULES) as LapReason[]

/**
 * Returns true for a reset at either end, for a step of LapDistPct over 0.02 between rows, and for one of the
 * lap's hundred bins without a row. Rows over the line are included.
 */
function hasJump({ data, segment }: LapCase): boolean {
  if (segment.start === 'reset' || segment.end === 'reset') return true
  if (segment.isEven && isWholeAtEdges(data, segment)) return false
  const { kind, pct } = data
  visited.fill(0)
  const last = segment.end === 'line' ? segment.rowAfter : segment.rowEnd
  let before = segment.start === 'line' ? segment.rowBefore : segment.rowStart
  for (let row = before; row <= last; row++) {
    if (kind[row] !== ROW.GOOD) continue
    if (isJump(stepPct(pct[before]!, pct[row]!))) return true
    if (isDrivenBin(data, before, row)) {
      const from = row === segment.rowStart ? 0 : binOf(pct[before]!)
      const to = row > segment.rowEnd ? BINS - 1 : binOf(pct[row]!)
      visited.fill(1, from, to + 1)
    }
    if (row >= segment.rowStart && row <= segment.rowEnd) visited[binOf(pct[row]!)] = 1
    before = row
  }
  // A part of a lap needs only the bins between its own ends.
  const from = segment.start === 'line' ? 0 : visited.indexOf(1)
  const to = segment.end === 'line' ? BINS - 1 : visited.lastIndexOf(1)
  for (let bin = from; bin <= to; bin++) if (visited[bin] === 0) return true
  return false
}

/**
 * Returns true if an even lap begins in the first bin and ends in the last. Even rows skip no bin between.
 */
function isWholeAtEdges(
  { pct }: LapData,
  { start, end, rowBefore, rowStart, rowEnd, rowAfter }: Segment,
): boolean {
  if (start === 'line' && (binOf(pct[rowStart]!) > 0 || isJump(stepPct(pct[rowBefore]!, pct[rowStart]!)))) {
    return false
  }
  return (
    end !== 'line' || (binOf(pct[rowEnd]!) === BINS - 1 && !isJump(stepPct(pct[rowEnd]!, pct[rowAfter]!)))
  )
}

const BINS = 100
const visited = new Uint8Array(BINS)

function binOf(pct: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.floor(pct * BINS)))
}

/**
 * Returns true if a car passed more than a bin between two rows at its own speed. On a track of a few hundred
 * metres, some missing ticks are enough to drive 1 % of it.
 */
function isDrivenBin({ pct, timeS, channel, trackLengthM }: LapData, a: number, b: number): boolean {
  const step = stepPct(pct[a]!, pct[b]!)
  const { Speed: speed } = channel
  if (step <= 1 / BINS || speed === null || trackLengthM === null) return false
  const drivenM = Math.max(speed[a]!, speed[b]!) * (timeS[b]! - timeS[a]!)
  return step * trackLengthM <= 1.2 * drivenM
}

/**
 * Returns true if the official time belongs to another lap than the interpolated time, or if the clock was
 * edited. A gap also explains odd steps of the clock, and has its own reason.
 */
function hasTimeMismatch(lap: LapCase): boolean {
  const { officialS, interpolatedS, isFinishLate } = lap.timing
  if (interpolatedS === null) return false
  if (officialS !== null && !isFinishLate && Math.abs(officialS - interpolatedS) > MAX_TIME_DIFFERENCE_S)
    return true
  return hasEditedClock(lap.data, lap.segment) && !hasGap(lap)
}

/**
 * Returns true if rows are missing for over 0.1 s, time runs backwards, or a row has no finite position or
 * time.
 */
function hasGap({ data, segment }: LapCase): boolean {
  const { rowStart, rowEnd } = segment
  const from = segment.start === 'line' ? segment.rowBefore : rowStart
  const to = segment.end === 'line' ? segment.rowAfter : rowEnd
  if (!segment.isEven) return hasGapBetween(data, from, to)
  return hasGapBetween(data, from, rowStart) || hasGapBetween(data, rowEnd, to)
}

function hasGapBetween({ kind, timeS }: LapData, from: number, to: number): boolean {
  let before = from
  for (let row = from; row <= to; row++) {
    if (kind[row] === ROW.JUNK) continue
    if (kind[row] === ROW.BAD) return true
    const stepS = timeS[row]! - timeS[before]!
    if (stepS > MAX_GAP_S || stepS < 0) return true
    before = row
  }
  return false
}

/**
 * Returns true if no car reaches the mean speed, if Speed, LapDistPct and the positions show different
 * distances, or if channels contradict each other (`physics/`). Judges only laps between two crossings. A
 * jump or the pit lane explains another distance, and has its own reason.
 */
function isImplausible(lap: LapCase): boolean {
  const { data, segment, timing } = lap
  if (segment.start !== 'line' || segment.end !== 'line') return false
  if (timing.interpolatedS === null || timing.interpolatedS < SHORTEST_LAP_S) return true
  const drivenM = distanceDrivenM(data, segment)
  const lapM = drivenM ?? data.trackLengthM
  if (lapM !== null && lapM / timing.interpolatedS > MAX_MEAN_SPEED_MPS) return true
  const isEven = !hasJump(lap) && !hasGap(lap)
  if (
    !isOddDistance(lap, drivenM) &&
    !contradictsGround(data, segment, isJoker(lap)) &&
    !(isEven && contradictsPhysics(data, segment))
  ) {
    return false
  }
  return !hasJump(lap) && !LAP_RULES.OUT(lap) && !LAP_RULES.IN(lap)
}

function isJoker({ data, segment }: LapCase): boolean {
  return hasRun(data, segment, data.channel.SessionOnJokerLap, joker => joker !== 0)
}

/** Returns true if the distance driven differs from the lap's and the car's line does not explain it. */
function isOddDistance(lap: LapCase, drivenM: number | null): boolean {
  const { data, segment } = lap
  const lengthM = data.trackLengthM
  if (drivenM === null || lengthM === null) return false
  // A joker lap can have any length; only the positions can confirm it.
  if (isJoker(lap)) {
    const errorM = pathError(data, segment, drivenM)
    return Number.isFinite(errorM) && errorM > DETOUR_TOLERANCE * drivenM
  }
  const toleranceM = Math.max(LENGTH_TOLERANCE_M, LENGTH_TOLERANCE * lengthM)
  const excessM = drivenM - lengthM
  if (Math.abs(excessM) <= toleranceM) return false
  // A spin or a trip over the grass makes the way longer, but the car drove it.
  if (excessM > 0 && excessM <= EXCURSION * lengthM && isOffTrack(lap)) return false
  // A lap along the wall of an oval is longer too, and one along its inside is shorter than the stated
  // length.
  const isOtherLine = excessM > 0 ? excessM <= WIDE_LINE_M : -excessM <= SHORT_LINE * lengthM
  return !isOtherLine || pathError(data, segment, drivenM) > toleranceM
}

/** Returns the metres by which positions and speed differ; infinite if the positions do not show a way. */
function pathError(data: LapData, segment: Segment, drivenM: number): number {
  const pathM = pathLengthM(data, segment)
  return pathM === null ? Number.POSITIVE_INFINITY : Math.abs(drivenM - pathM)
}

const LENGTH_TOLERANCE = 0.01
/**
 * The session text rounds the length to 10 m. A lap is 2π m longer for each metre it is driven farther out.
 * So on tracks under 1.5 km honest laps differ by more than 1 %.
 */
const LENGTH_TOLERANCE_M = 15
const EXCURSION = 0.1
/** Positions are less exact on a detour, because they may belong to the lap's own road. */
const DETOUR_TOLERANCE = 0.02
/** A lap driven 15 m farther out all the way round. */
const WIDE_LINE_M = 2 * Math.PI * 15
/** Share of the lap. The stated length is that of the middle of the road, and some ovals are wide. */
const SHORT_LINE = 0.03
/**
 * The shortest tracks are lapped in 9 s. If a file states no length, no mean speed shows that a lap is too
 * short.
 */
const SHORTEST_LAP_S = 1
/** 468 km/h. The fastest ovals are lapped at under 390. */
const MAX_MEAN_SPEED_MPS = 130

/** Returns the metres that Speed adds up to over SessionTime from line to line; null without the channel. */
function distanceDrivenM({ kind, timeS, channel }: LapData, segment: Segment): number | null {
  const speed = channel.Speed
  if (speed === null) return null
  let distanceM = 0
  let atS = segment.openTimeS
  let speedMps = Number.NaN
  for (let row = segment.rowStart; row <= segment.rowFinish; row++) {
    const v = speed[row]!
    if (kind[row] !== ROW.GOOD || !Number.isFinite(v)) continue
    const before = Number.isNaN(speedMps) ? v : speedMps
    speedMps = v
    distanceM += 0.5 * (before + speedMps) * (timeS[row]! - atS)
    atS = timeS[row]!
  }
  return Number.isNaN(speedMps) ? null : distanceM + speedMps * (segment.closeTimeS - atS)
}

/** Returns true if nearly all rows have a speed. Missing values are bridged, and could hide anything. */
function hasSpeed({ kind, channel: { Speed: speed } }: LapData, { rowStart, rowEnd }: Segment): boolean {
  if (speed === null) return false
  let rows = 0
  let known = 0
  for (let row = rowStart; row <= rowEnd; row++) {
    if (kind[row] !== ROW.GOOD) continue
    rows++
    // A finite number times 0 is 0.
    if (speed[row]! * 0 === 0) known++
  }
  return known >= KNOWN_SPEED * rows
}

const KNOWN_SPEED = 0.99

function isOffTrack({ data, segment }: LapCase): boolean {
  return hasRun(data, segment, data.channel.PlayerTrackSurface, surface => surface === SURFACE_OFF_TRACK)
}

function hasIncident({ data, segment, next }: LapCase): boolean {
  if (hasRun(data, segment, data.channel.PlayerIncidents, pulse => pulse !== 0)) return true
  return (
    findRises(data, segment).some(({ isOfLapBefore }) => !isOfLapBefore) ||
    (next !== null && findRises(data, next).some(({ isOfLapBefore }) => isOfLapBefore))
  )
}

/** irsdk_Flags. `oneLapToGreen` is left out: practice sessions show it all the time. */
const FLAG = {
  yellow: 0x8,
  yellowWaving: 0x100,
  caution: 0x4000,
  cautionWaving: 0x8000,
  startReady: 0x20000000,
  startSet: 0x40000000,
  startGo: 0x80000000,
}
const CAUTION_FLAGS = FLAG.yellow | FLAG.yellowWaving | FLAG.caution | FLAG.cautionWaving
const START_LIGHTS = FLAG.startReady | FLAG.startSet | FLAG.startGo

function isUnderCaution({ data, segment }: LapCase): boolean {
  const { SessionFlags: flags, PaceMode: paceMode } = data.channel
  if (hasRun(data, segment, flags, flag => (flag & CAUTION_FLAGS) !== 0)) return true
  // irsdk_PaceMode 0 to 3: behind the pace car for a start or restart; 4: not pacing.
  return hasRun(data, segment, paceMode, mode => mode >= 0 && mode < 4)
}

/** Returns true if the car stood under the start lights in this lap, or on the grid just before its line. */
function isFromGrid({ data, segment, previous }: LapCase): boolean {
  if (isStandingOnGrid(data, segment, 0)) return true
  return previous !== null && previous.end === 'line' && isStandingOnGrid(data, previous, 0.5)
}

function isStandingOnGrid(data: LapData, segment: Segment, pctFrom: number): boolean {
  const { kind, pct, channel } = data
  const { SessionFlags: flags, Speed: speed } = channel
  if (flags === null || speed === null) return false
  if (!hasRun(data, segment, flags, flag => (flag & START_LIGHTS) !== 0)) return false
  for (let row = segment.rowStart; row <= segment.rowEnd; row++) {
    const isStart = (flags[row]! & START_LIGHTS) !== 0 && speed[row]! < STANDING_MPS
    if (isStart && kind[row] === ROW.GOOD && pct[row]! >= pctFrom) return true
  }
  return false
}

const STANDING_MPS = 1
