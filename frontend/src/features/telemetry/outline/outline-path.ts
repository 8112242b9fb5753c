import type { OutlineGeometry } from './outline-geometry.ts'

/** Receives a path: a `Path2D`, or a recorder in a test. */
export interface PathSink {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
}

/**
 * Writes indices `from..to` (inclusive) of a geometry as lines, and lifts the pen at breaks. Leaves out
 * points within `toleranceM` of the one before, which no pixel would show.
 */
export function writeLine(
  sink: PathSink,
  geometry: OutlineGeometry,
  from: number,
  to: number,
  toleranceM: number,
) {
  const { x, y, breaks } = geometry
  let lastX = Number.NaN
  let lastY = Number.NaN
  // The last point left out. It is drawn after all if the line ends or breaks there.
  let skipped = -1
  for (let i = from; i <= to; i++) {
    if (Number.isNaN(x[i]!)) continue
    if (Number.isNaN(lastX) || breaks[i]) {
      if (skipped >= 0) sink.lineTo(x[skipped]!, y[skipped]!)
      sink.moveTo(x[i]!, y[i]!)
    } else if (Math.abs(x[i]! - lastX) + Math.abs(y[i]! - lastY) >= toleranceM) {
      sink.lineTo(x[i]!, y[i]!)
    } else {
      skipped = i
      continue
    }
    skipped = -1
    lastX = x[i]!
    lastY = y[i]!
  }
  if (skipped >= 0) sink.lineTo(x[skipped]!, y[skipped]!)
}

/** Rows from `start` to `end`, both included, of one state. */
interface RowSegment<State> {
  readonly state: State
  readonly start: number
  readonly end: number
}

/**
 * Writes all segments of one state, up to index `end`. Each continues to the first sample of the next one, so
 * that there is no gap at a change of colour.
 */
export function writeSegments<State>(
  sink: PathSink,
  geometry: OutlineGeometry,
  segments: readonly RowSegment<State>[],
  state: State,
  end: number,
  toleranceM: number,
) {
  for (const segment of segments) {
    const from = segment.start - geometry.rowStart
    if (segment.state !== state || from > end) continue
    const after = segment.end - geometry.rowStart + 1
    const to = after < geometry.x.length && !geometry.breaks[after] ? after : after - 1
    writeLine(sink, geometry, from, Math.min(to, end), toleranceM)
  }
}
