import { boxOf } from './outline-box.ts'

/** Finds the samples nearest to points. Indices are those of the coordinate arrays. */
export type SampleIndex = ReturnType<typeof indexSamples>

/** Average number of samples in a cell; a query looks at a few cells. */
const SAMPLES_A_CELL = 4

/**
 * Builds a uniform grid over the samples, by counting sort into two flat arrays. A lap of 100 000 rows builds
 * in a few milliseconds and answers in microseconds, fast enough for every pointer move. Skips samples with
 * coordinates that are not finite.
 */
export function indexSamples(x: Float64Array, y: Float64Array) {
  const isKnown = (i: number) => Number.isFinite(x[i]!) && Number.isFinite(y[i]!)
  let count = 0
  for (let i = 0; i < x.length; i++) if (isKnown(i)) count++
  const { minX, maxX, minY, maxY } = boxOf(x, y, isKnown)

  const cells = Math.max(1, Math.ceil(count / SAMPLES_A_CELL))
  const width = Math.max(maxX - minX, 1e-9)
  const height = Math.max(maxY - minY, 1e-9)
  // Square cells; if the samples are on one line, one row of cells.
  const cell = Math.max(Math.sqrt((width * height) / cells), Math.max(width, height) / cells)
  const columns = Math.floor(width / cell) + 1
  const rows = Math.floor(height / cell) + 1

  const starts = new Uint32Array(columns * rows + 1)
  const cellOf = (i: number) =>
    Math.floor((y[i]! - minY) / cell) * columns + Math.floor((x[i]! - minX) / cell)
  for (let i = 0; i < x.length; i++) {
    if (isKnown(i)) starts[cellOf(i) + 1]!++
  }
  for (let c = 1; c < starts.length; c++) starts[c]! += starts[c - 1]!
  const items = new Uint32Array(count)
  const filled = starts.slice(0, -1)
  for (let i = 0; i < x.length; i++) {
    if (isKnown(i)) items[filled[cellOf(i)]!++] = i
  }

  /** Returns the index of the nearest sample; -1 without samples. The earlier one wins a tie. */
  function nearest(px: number, py: number): number {
    const column = Math.min(columns - 1, Math.max(0, Math.floor((px - minX) / cell)))
    const row = Math.min(rows - 1, Math.max(0, Math.floor((py - minY) / cell)))
    let best = -1
    let bestSquare = Number.POSITIVE_INFINITY

    function look(c: number, r: number) {
      if (c < 0 || r < 0 || c >= columns || r >= rows) return
      const at = r * columns + c
      for (let k = starts[at]!; k < starts[at + 1]!; k++) {
        const i = items[k]!
        const square = (x[i]! - px) ** 2 + (y[i]! - py) ** 2
        if (square < bestSquare || (square === bestSquare && i < best)) {
          best = i
          bestSquare = square
        }
      }
    }

    // Search rings of cells around the query's own. Stop when everything in a ring must be further away than
    // the best sample. A point outside the grid only adds distance.
    for (let ring = 0; ring <= Math.max(columns, rows); ring++) {
      const reach = (ring - 1) * cell
      if (best >= 0 && reach > 0 && reach * reach > bestSquare) break
      if (ring === 0) {
        look(column, row)
        continue
      }
      for (let c = column - ring; c <= column + ring; c++) {
        look(c, row - ring)
        look(c, row + ring)
      }
      for (let r = row - ring + 1; r < row + ring; r++) {
        look(column - ring, r)
        look(column + ring, r)
      }
    }
    return best
  }

  return { nearest }
}
