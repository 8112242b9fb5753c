import type { OutlineBox } from './outline-box.ts'
import type { OutlineGeometry } from './outline-geometry.ts'

/** Receives a path: a `Path2D`, or a recorder in a test. */
export interface PathSink {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
}

/**
 * Writes indices `from..to` (inclusive) of a geometry as lines, and lifts the pen at breaks. Leaves out
 * points within `toleranceM` of the one before, which no pixel would show, and lines that cannot reach `box`.
 */
export function writeLine(
  sink: PathSink,
  { x, y, breaks }: OutlineGeometry,
  from: number,
  to: number,
  toleranceM: number,
  box: OutlineBox,
) {
  let lastX = Number.NaN
  let lastY = Number.NaN
  let isPenAtLast = false
  // The last point left out. It is drawn after all if the line ends or breaks there.
  let skipped = -1
  const drawTo = (toX: number, toY: number) => {
    const reaches =
      Math.max(lastX, toX) >= box.minX &&
      Math.min(lastX, toX) <= box.maxX &&
      Math.max(lastY, toY) >= box.minY &&
      Math.min(lastY, toY) <= box.maxY
    if (reaches && !isPenAtLast) sink.moveTo(lastX, lastY)
    if (reaches) sink.lineTo(toX, toY)
    isPenAtLast = reaches
  }
  for (let i = from; i <= to; i++) {
    const nextX = x[i]!
    const nextY = y[i]!
    if (Number.isNaN(nextX)) continue
    if (Number.isNaN(lastX) || breaks[i]) {
      if (skipped >= 0) drawTo(x[skipped]!, y[skipped]!)
      isPenAtLast = false
    } else if (Math.abs(nextX - lastX) + Math.abs(nextY - lastY) >= toleranceM) {
      drawTo(nextX, nextY)
    } else {
      skipped = i
      continue
    }
    skipped = -1
    lastX = nextX
    lastY = nextY
  }
  if (skipped >= 0) drawTo(x[skipped]!, y[skipped]!)
}

/** Rows from `start` to `end`, both included, of one state. */
interface RowSegment<State> {
  readonly state: State
  readonly start: number
  readonly end: number
}

/**
 * Writes all segments of one state that can reach `box`, up to index `end`. Each continues to the first sample of the next one, so
 * that there is no gap at a change of colour.
 */
export function writeSegments<State>(
  sink: PathSink,
  geometry: OutlineGeometry,
  segments: readonly RowSegment<State>[],
  state: State,
  end: number,
  toleranceM: number,
  box: OutlineBox,
) {
  for (const segment of segments) {
    const from = segment.start - geometry.rowStart
    if (segment.state !== state || from > end) continue
    const after = segment.end - geometry.rowStart + 1
    const to = after < geometry.x.length && !geometry.breaks[after] ? after : after - 1
    writeLine(sink, geometry, from, Math.min(to, end), toleranceM, box)
  }
}
