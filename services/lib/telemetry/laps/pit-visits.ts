import type { Segment } from './find-segments.ts'
import { type LapData, ROW } from './lap-data.ts'
import { hasRun } from './runs.ts'

/**
 * Returns true if the car was on pit road, in a pit stall, approaching the pits or towed in that half of the
 * lap. The halves are of the lap's distance: pit rows in the first make an out lap, in the second an in lap.
 * If its rows begin with a standing car in the pits, it did not drive in: the metres to the line are no in lap.
 */
export function hasPitVisit(data: LapData, segment: Segment, half: 'first half' | 'second half'): boolean {
  if (!hasPitRows(data, segment)) return false
  const { kind, pct, timeS } = data
  let from = -1
  let isBrief = true
  let isInHalf = false
  let isStart = false
  for (let row = segment.rowStart; row <= segment.rowEnd; row++) {
    if (kind[row] !== ROW.GOOD) continue
    const inPits = isInPits(data, row)
    if (inPits) {
      if (from === -1) {
        from = row
        isBrief = row !== segment.rowStart
        isInHalf = false
        isStart = half === 'second half' && row === segment.rowStart && isStandingStart(data, segment)
      }
      if (isStart) continue
      if (pct[row]! < 0.5 === (half === 'first half')) isInHalf = true
      if (isBrief && (isSlow(data, row) || timeS[row]! - timeS[from]! > BRIEF_S)) isBrief = false
      if (isInHalf && !isBrief) return true
    } else if (from !== -1) {
      from = -1
    }
  }
  // A run that reaches the end of the lap continues after it.
  return from !== -1 && isInHalf
}

function isStandingStart({ channel: { Speed: speed } }: LapData, { start, rowStart }: Segment): boolean {
  return start !== 'line' && speed !== null && speed[rowStart]! < STANDING_MPS
}

const STANDING_MPS = 1

/**
 * A pit visit takes longer than this. A shorter run within the lap, at speed, is a car that clips the pit
 * road's cones on its way past. The simulator scores such laps.
 */
const BRIEF_S = 0.5
/** Below the lowest pit speed limit a car is in the pits, even for a single row. */
const SLOW_MPS = 15

function isSlow({ channel: { Speed: speed, PlayerCarTowTime: towTime } }: LapData, row: number): boolean {
  return (speed !== null && speed[row]! < SLOW_MPS) || (towTime !== null && towTime[row]! > 0)
}

/** Returns false for nearly all laps, which have no row in the pits, without a look at each row. */
function hasPitRows(data: LapData, segment: Segment): boolean {
  const { OnPitRoad, PlayerCarInPitStall, PlayerTrackSurface, PlayerCarTowTime } = data.channel
  return (
    hasRun(data, segment, PlayerTrackSurface, isPitSurface) ||
    hasRun(data, segment, OnPitRoad, isSet) ||
    hasRun(data, segment, PlayerCarInPitStall, isSet) ||
    hasRun(data, segment, PlayerCarTowTime, isSet)
  )
}

function isInPits({ channel }: LapData, row: number): boolean {
  const { OnPitRoad, PlayerCarInPitStall, PlayerTrackSurface, PlayerCarTowTime } = channel
  return (
    (PlayerTrackSurface !== null && isPitSurface(PlayerTrackSurface[row]!)) ||
    (OnPitRoad !== null && isSet(OnPitRoad[row]!)) ||
    (PlayerCarInPitStall !== null && isSet(PlayerCarInPitStall[row]!)) ||
    (PlayerCarTowTime !== null && isSet(PlayerCarTowTime[row]!))
  )
}

/** irsdk_TrkLoc 1: in pit stall, 2: approaching pits. */
function isPitSurface(surface: number): boolean {
  return surface === 1 || surface === 2
}

function isSet(value: number): boolean {
  return value > 0
}
