import { distanceM, M_PER_DEGREE, MAX_GAP_S, type Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'

/**
 * Returns true if the positions show that the lap was not driven from line to line, or that rows were
 * removed. Returns false if the file has no `Lat` and `Lon`.
 *
 * @param isDetour the car left the lap's own road: positions may bunch there
 */
export function contradictsGround(data: LapData, segment: Segment, isDetour: boolean): boolean {
  const { Lat: lat, Lon: lon, Speed: speed } = data.channel
  if (lat === null || lon === null) return false
  return (
    endsElsewhere(data, segment, { lat, lon }) ||
    (speed !== null && disagreesWithSpeed(data, segment, isDetour))
  )
}

/**
 * Returns true if nearly all rows have a position, those next to the lines included. Rows without one are
 * skipped and could hide anything.
 */
export function isGroundKnown(data: LapData, segment: Segment): boolean {
  const { kind, channel } = data
  const lat = channel.Lat
  if (lat === null) return false
  if (!data.lacksPositions) return true
  let rows = 0
  let known = 0
  for (let row = segment.rowStart; row <= segment.rowEnd; row++) {
    if (kind[row] !== ROW.GOOD) continue
    rows++
    if (!Number.isNaN(lat[row]!)) known++
  }
  return known >= KNOWN_GROUND * rows && linesOf(data, segment).every(({ a, b }) => a !== -1 && b !== -1)
}

const KNOWN_GROUND = 0.99

/** Returns the rows with a position on both sides of each start line of a lap; -1 if none is near. */
function linesOf(data: LapData, segment: Segment): { readonly a: number; readonly b: number }[] {
  const lines = []
  if (segment.start === 'line') {
    lines.push({ a: nearestKnown(data, segment.rowBefore, -1), b: nearestKnown(data, segment.rowStart, 1) })
  }
  if (segment.end === 'line') {
    lines.push({ a: nearestKnown(data, segment.rowEnd, -1), b: nearestKnown(data, segment.rowAfter, 1) })
  }
  return lines
}

/** Returns the row itself, or the next on its side with a position; -1 if that is too far away. */
function nearestKnown({ rows, kind, timeS, channel: { Lat } }: LapData, from: number, step: 1 | -1): number {
  for (let row = from; row >= 0 && row < rows; row += step) {
    if (kind[row] !== ROW.GOOD) continue
    if (!(Math.abs(timeS[row]! - timeS[from]!) <= MAX_GAP_S)) return -1
    if (!Number.isNaN(Lat![row]!)) return row
  }
  return -1
}

/**
 * Returns true if the car crossed the second line farther along the road than the first, or less far. It may
 * cross farther left or right; along the road recorded laps differ by 3 cm. A crossing that is moved by 20 ms
 * is off by a metre.
 */
function endsElsewhere(
  data: LapData,
  segment: Segment,
  { lat, lon }: { lat: ArrayLike<number>; lon: ArrayLike<number> },
): boolean {
  const [opening, closing] = linesOf(data, segment)
  if (opening === undefined || closing === undefined) return false
  const { timeS } = data
  const at = opening.b
  // If a row is -1, all values below are NaN, which contradicts nothing.
  const eastPerDegree = M_PER_DEGREE * Math.cos((lat[at]! * Math.PI) / 180)
  const northM = (row: number): number => (lat[row]! - lat[at]!) * M_PER_DEGREE
  const eastM = (row: number): number => (lon[row]! - lon[at]!) * eastPerDegree
  const crossing = (of: (row: number) => number, { a, b }: { a: number; b: number }, atS: number): number =>
    timeS[b]! > timeS[a]! ? of(a) + ((of(b) - of(a)) * (atS - timeS[a]!)) / (timeS[b]! - timeS[a]!) : of(b)
  const { openTimeS, wrapTimeS } = segment
  const north = crossing(northM, closing, wrapTimeS) - crossing(northM, opening, openTimeS)
  const east = crossing(eastM, closing, wrapTimeS) - crossing(eastM, opening, openTimeS)

  // The direction of the road at the line: that of the car on both sides of the lap.
  const on = rowFrom(data, opening.b, 1)
  const back = rowFrom(data, closing.a, -1)
  if (on >= back || on === -1 || back === -1) return false
  const wayNorth = northM(on) + northM(closing.a) - northM(back)
  const wayEast = eastM(on) + eastM(closing.a) - eastM(back)
  const way = Math.sqrt(wayNorth * wayNorth + wayEast * wayEast)
  if (!(way > MIN_WAY_M)) return false
  const alongM = Math.abs(north * wayNorth + east * wayEast) / way
  const acrossM = Math.abs(north * wayEast - east * wayNorth) / way
  return alongM > MAX_ALONG_M + MAX_ALONG_SHARE * acrossM
}

/** Returns the row with a position that is `WAY_S` later or earlier; -1 if there is none. */
function rowFrom({ rows, kind, timeS, channel: { Lat } }: LapData, from: number, step: 1 | -1): number {
  for (let row = from; row >= 0 && row < rows; row += step) {
    if (kind[row] !== ROW.GOOD || Number.isNaN(Lat![row]!)) continue
    if (Math.abs(timeS[row]! - timeS[from]!) >= WAY_S) return row
  }
  return -1
}

/** Three ticks. */
const WAY_S = 0.05 - 1e-6
const MIN_WAY_M = 1
const MAX_ALONG_M = 1
/** A car that changes lanes over the line goes up to 11 degrees off the road's direction. */
const MAX_ALONG_SHARE = 0.2

/**
 * Returns true if the distances between positions do not match the speed. In recorded laps a position is
 * sometimes late by a tick, and the next one makes up for it. If many distances are too long and none too
 * short, rows were removed and time was closed over the hole. In the opposite case the positions are not
 * those of a car that drove.
 */
function disagreesWithSpeed({ kind, timeS, channel }: LapData, segment: Segment, isDetour: boolean): boolean {
  const { Lat, Lon, Speed } = channel
  const lat = Lat!
  const lon = Lon!
  const speed = Speed!
  let eastShare = Number.NaN
  let missingS = 0
  let before = -1
  for (let row = segment.rowStart; row <= segment.rowEnd; row++) {
    if (kind[row] !== ROW.GOOD || Number.isNaN(lat[row]!)) continue
    if (before === -1) {
      before = row
      eastShare = Math.cos((lat[row]! * Math.PI) / 180)
      continue
    }
    const speedMps = 0.5 * (speed[before]! + speed[row]!)
    const stepS = timeS[row]! - timeS[before]!
    const north = (lat[row]! - lat[before]!) * M_PER_DEGREE
    const east = (lon[row]! - lon[before]!) * M_PER_DEGREE * eastShare
    before = row
    // At a lower speed, half a step is less than the error of a position.
    if (!(speedMps > MIN_SPEED_MPS)) continue
    const neededS = Math.sqrt(north * north + east * east) / speedMps
    // If positions are absent for long, the straight line only shows that the car went no farther.
    if (stepS > MAX_GAP_S) missingS += Math.max(0, neededS - FAR * stepS)
    else if (neededS > FAR * stepS || (neededS < NEAR * stepS && !isDetour)) missingS += neededS - stepS
  }
  return Math.abs(missingS) > MAX_MISSING_S
}

const MIN_SPEED_MPS = 10
/** Recorded laps: positions are 0.96 to 1.04 times as far apart as the speed takes the car. */
const FAR = 1.5
const NEAR = 0.5
/** Three ticks. Recorded laps: 0.0002 s. */
const MAX_MISSING_S = 0.05

/**
 * Returns the metres from position to position, the rows across both lines included in part. Returns null if
 * positions are absent for so long that a straight line cannot replace them.
 */
export function pathLengthM({ kind, timeS, channel }: LapData, segment: Segment): number | null {
  const { Lat: lat, Lon: lon } = channel
  if (lat === null || lon === null) return null
  let pathM = 0
  let before = -1
  for (let row = segment.rowBefore; row <= segment.rowPast; row++) {
    if (kind[row] !== ROW.GOOD || Number.isNaN(lat[row]!)) continue
    if (before === -1) {
      if (timeS[row]! - segment.openTimeS > MAX_GAP_S) return null
    } else {
      const stepM = distanceM(lat[before]!, lon[before]!, lat[row]!, lon[row]!)
      const fromS = Math.max(segment.openTimeS, timeS[before]!)
      const toS = Math.min(segment.closeTimeS, timeS[row]!)
      const stepS = timeS[row]! - timeS[before]!
      if (stepS > MAX_GAP_S) return null
      pathM += stepS > 0 ? (stepM * (toS - fromS)) / stepS : stepM
    }
    before = row
  }
  return before >= segment.rowFinish ? pathM : null
}
