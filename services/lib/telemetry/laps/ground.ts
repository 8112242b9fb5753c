import { M_PER_DEGREE, type Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'

/**
 * True where the ground the car went over says that the lap was not driven from the line to the line,
 * or that rows were taken out of it. Says nothing where the file has no `Lat` and `Lon`.
 */
export function contradictsGround(data: LapData, segment: Segment): boolean {
  const { Lat: lat, Lon: lon, Speed: speed } = data.channel
  if (lat === null || lon === null) return false
  return endsElsewhere(data, segment, { lat, lon }) || (speed !== null && disagreesWithSpeed(data, segment))
}

/**
 * From one crossing of the line to the next a car comes out to the left or right of where it was, but not
 * farther along: in recorded laps by 3 cm. A crossing that is moved by 20 ms is off by a metre.
 */
function endsElsewhere(
  { kind, timeS }: LapData,
  segment: Segment,
  { lat, lon }: { lat: ArrayLike<number>; lon: ArrayLike<number> },
): boolean {
  const { rowBefore, rowStart, rowEnd, rowAfter } = segment
  const eastPerDegree = M_PER_DEGREE * Math.cos((lat[rowStart]! * Math.PI) / 180)
  const northM = (row: number): number => (lat[row]! - lat[rowStart]!) * M_PER_DEGREE
  const eastM = (row: number): number => (lon[row]! - lon[rowStart]!) * eastPerDegree
  const crossing = (of: (row: number) => number, a: number, b: number, atS: number): number =>
    timeS[b]! > timeS[a]! ? of(a) + ((of(b) - of(a)) * (atS - timeS[a]!)) / (timeS[b]! - timeS[a]!) : of(b)
  const { openTimeS, closeTimeS } = segment
  const north =
    crossing(northM, rowEnd, rowAfter, closeTimeS) - crossing(northM, rowBefore, rowStart, openTimeS)
  const east = crossing(eastM, rowEnd, rowAfter, closeTimeS) - crossing(eastM, rowBefore, rowStart, openTimeS)

  // The way of the road at the line: that of the car on both sides of the lap.
  const on = rowStart + WAY_ROWS
  const back = rowEnd - WAY_ROWS
  if (on >= back || kind[on] !== ROW.GOOD || kind[back] !== ROW.GOOD) return false
  const wayNorth = northM(on) + northM(rowEnd) - northM(back)
  const wayEast = eastM(on) + eastM(rowEnd) - eastM(back)
  const way = Math.sqrt(wayNorth * wayNorth + wayEast * wayEast)
  if (!(way > LEAST_WAY_M)) return false
  const alongM = Math.abs(north * wayNorth + east * wayEast) / way
  const acrossM = Math.abs(north * wayEast - east * wayNorth) / way
  return alongM > MAX_ALONG_M + MAX_ALONG_SHARE * acrossM
}

const WAY_ROWS = 3
const LEAST_WAY_M = 1
const MAX_ALONG_M = 1
/** A car that changes lanes over the line goes up to 11 degrees off the road's own way. */
const MAX_ALONG_SHARE = 0.2

/**
 * Places follow each other as far apart as the speed takes the car. In recorded laps a place is sometimes
 * late by a tick, and the next makes up for it; where many are too far apart and none too near, the rows
 * between them were taken out, and time closed up over the hole. Where it is the other way round, the
 * places are not those of a car that drove.
 */
function disagreesWithSpeed({ kind, timeS, channel }: LapData, segment: Segment): boolean {
  const { Lat, Lon, Speed } = channel
  const lat = Lat!
  const lon = Lon!
  const speed = Speed!
  const eastShare = Math.cos((lat[segment.rowStart]! * Math.PI) / 180)
  let missingS = 0
  let before = segment.rowStart
  for (let row = segment.rowStart + 1; row <= segment.rowEnd; row++) {
    if (kind[row] !== ROW.GOOD) continue
    const speedMps = 0.5 * (speed[before]! + speed[row]!)
    const stepS = timeS[row]! - timeS[before]!
    const north = (lat[row]! - lat[before]!) * M_PER_DEGREE
    const east = (lon[row]! - lon[before]!) * M_PER_DEGREE * eastShare
    before = row
    // Slower than this, half a step is less than what a place may be off by.
    if (!(speedMps > LEAST_SPEED_MPS)) continue
    const neededS = Math.sqrt(north * north + east * east) / speedMps
    if (neededS > FAR * stepS || neededS < NEAR * stepS) missingS += neededS - stepS
  }
  return Math.abs(missingS) > MAX_MISSING_S
}

const LEAST_SPEED_MPS = 10
/** Recorded laps: a place is 0.96 to 1.04 times as far as the speed takes the car. */
const FAR = 1.5
const NEAR = 0.5
/** Three ticks. Recorded laps: 0.0002 s. */
const MAX_MISSING_S = 0.05
