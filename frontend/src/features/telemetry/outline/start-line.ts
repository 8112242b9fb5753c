import type { LapSeries } from '../lap-series.ts'
import type { OutlineGeometry } from './outline-geometry.ts'

/** Where a lap crosses the start and finish line, and which way it drives there. */
export interface StartLine {
  /** Metres, as in the geometry. */
  readonly x: number
  readonly y: number
  /** Radians of the driving direction, clockwise from the right, as canvases turn. */
  readonly heading: number
  /** The side of the road (seen along the heading, as canvases turn: 1 right, -1 left) that lies outside the lap. */
  readonly outside: 1 | -1
}

/** A lap that came this near to the line (as a share of the lap) shows it. */
const NEAR_SHARE = 0.005

/** The heading is taken over this many metres, so that GPS noise does not turn it. */
const HEADING_M = 8

/** Null where the lap never came near the line or the file has no positions. */
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

/** By the sign of the area the lap encloses; y grows downwards. */
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
