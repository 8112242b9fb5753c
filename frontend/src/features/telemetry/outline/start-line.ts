import type { LapSeries } from '../lap-series.ts'
import type { OutlineGeometry } from './outline-geometry.ts'

/** The point where a lap crosses the start and finish line, and its direction there. */
export interface StartLine {
  /** Metres, as in the geometry. */
  readonly x: number
  readonly y: number
  /** Driving direction in radians, clockwise from the right as on a canvas. */
  readonly heading: number
  /** The side of the road that is outside the lap: 1 right, -1 left, seen in the driving direction. */
  readonly outside: 1 | -1
}

/** Share of the lap. A lap that came this near to the line shows it. */
const NEAR_SHARE = 0.005

/** Metres over which the heading is measured, so that GPS noise does not turn it. */
const HEADING_M = 8

/** Finds the start line. Returns null if the lap never came near it, or the file has no positions. */
export function findStartLine({ preview, lap }: LapSeries, geometry: OutlineGeometry): StartLine | null {
  let at = -1
  let nearest = NEAR_SHARE
  for (let i = 0; i < geometry.x.length; i++) {
    if (Number.isNaN(geometry.x[i]!)) continue
    const share = preview.lapDistPct[lap.row_start + i]!
    const away = Math.min(share, 1 - share)
    if (away < nearest) {
      nearest = away
      at = i
    }
  }
  if (at < 0) return null
  const x = geometry.x[at]!
  const y = geometry.y[at]!
  const isAway = (i: number) => Math.hypot(geometry.x[i]! - x, geometry.y[i]! - y) >= HEADING_M
  const outside = isClockwise(geometry) ? -1 : 1
  for (let i = at + 1; i < geometry.x.length && !geometry.breaks[i]; i++) {
    if (isAway(i)) return { x, y, heading: Math.atan2(geometry.y[i]! - y, geometry.x[i]! - x), outside }
  }
  for (let i = at - 1; i >= 0; i--) {
    if (isAway(i)) return { x, y, heading: Math.atan2(y - geometry.y[i]!, x - geometry.x[i]!), outside }
    if (geometry.breaks[i]) break
  }
  return null
}

/** Returns the direction by the sign of the enclosed area; y grows downwards. */
function isClockwise({ x, y }: OutlineGeometry): boolean {
  let twiceArea = 0
  let last = -1
  let first = -1
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i]!)) continue
    if (last >= 0) twiceArea += x[last]! * y[i]! - x[i]! * y[last]!
    else first = i
    last = i
  }
  if (last >= 0) twiceArea += x[last]! * y[first]! - x[first]! * y[last]!
  return twiceArea > 0
}
