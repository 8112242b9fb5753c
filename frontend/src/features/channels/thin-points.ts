import type { LinePoints } from '#shared/drawing/min-max-decimate.ts'

/** The bounds of a chart, and its size in pixels. */
interface PointWindow {
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
  readonly width: number
  readonly height: number
}

/** Pixels. Points that are nearer to each other look like one. */
const CELL = 1.5

/** Returns the points that `isMeant` selects, one for each cell of the chart, in the order driven. */
export function thinPoints(
  xs: Float64Array,
  ys: Float64Array,
  isMeant: (index: number) => boolean,
  { x: [minX, maxX], y: [minY, maxY], width, height }: PointWindow,
): LinePoints {
  const columns = Math.max(1, Math.ceil(width / CELL))
  const rows = Math.max(1, Math.ceil(height / CELL))
  const taken = new Uint8Array((columns + 1) * (rows + 1))
  const outX: number[] = []
  const outY: number[] = []
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i]!
    const y = ys[i]!
    if (!(x >= minX && x <= maxX && y >= minY && y <= maxY) || !isMeant(i)) continue
    const column = Math.floor(((x - minX) / (maxX - minX)) * columns)
    const row = Math.floor(((y - minY) / (maxY - minY)) * rows)
    const cell = row * (columns + 1) + column
    if (taken[cell]) continue
    taken[cell] = 1
    outX.push(x)
    outY.push(y)
  }
  return { x: Float64Array.from(outX), y: Float64Array.from(outY) }
}
