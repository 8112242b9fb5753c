/** Points of a line, in the order they were driven. A NaN in `y` lifts the pen. */
export interface LinePoints {
  readonly x: Float64Array
  readonly y: Float64Array
}

interface DecimateWindow {
  /** The part of the x axis that is seen. */
  readonly min: number
  readonly max: number
  /** Pixels it is seen on. */
  readonly columns: number
  /** A longer step in x between two rows was not driven; the line breaks there. */
  readonly maxStep: number
}

/**
 * Thins a line to what its pixels can show: of each run of samples within one pixel column, the
 * first, the lowest, the highest and the last, in their own order. Peaks survive at any zoom, and
 * the drawn line covers the same pixels as the full one. Of what lies left or right of the window
 * only the samples next to it are kept, so that lines run out of the picture at the right slope.
 *
 * `x` need not ascend: a car that spins rolls backwards.
 */
export function minMaxDecimate(x: Float64Array, y: ArrayLike<number>, window: DecimateWindow): LinePoints {
  const outX: number[] = []
  const outY: number[] = []
  const perColumn = window.columns / (window.max - window.min)
  let column = Number.NaN
  let first = -1
  let low = -1
  let high = -1
  let last = -1

  function emit(i: number) {
    outX.push(x[i]!)
    outY.push(y[i]!)
  }

  function flush() {
    if (first < 0) return
    emit(first)
    if (column < 0 || column > window.columns) {
      // Out of sight only the ends matter: where the line leaves the picture and where it comes back.
      if (last !== first) {
        outX.push(x[first]!)
        outY.push(Number.NaN)
        emit(last)
      }
      first = -1
      return
    }
    const early = Math.min(low, high)
    const late = Math.max(low, high)
    if (early !== first && early !== last) emit(early)
    if (late !== early && late !== first && late !== last) emit(late)
    if (last !== first) emit(last)
    first = -1
  }

  function lift() {
    flush()
    column = Number.NaN
    if (outY.length > 0 && !Number.isNaN(outY.at(-1))) {
      outX.push(outX.at(-1)!)
      outY.push(Number.NaN)
    }
  }

  for (let i = 0; i < x.length; i++) {
    const px = x[i]!
    const py = y[i]!
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      lift()
      continue
    }
    if (first >= 0 && Math.abs(px - x[last]!) > window.maxStep) lift()
    const at = columnOf(px, window, perColumn)
    if (at !== column) {
      flush()
      column = at
    }
    if (first < 0) {
      first = i
      low = i
      high = i
    } else {
      if (py < y[low]!) low = i
      if (py > y[high]!) high = i
    }
    last = i
  }
  flush()
  return { x: Float64Array.from(outX), y: Float64Array.from(outY) }
}

/** Columns count from 0; a sample on the right edge has the one after the last, what lies beyond the next. */
function columnOf(x: number, window: DecimateWindow, perColumn: number): number {
  if (x < window.min) return -1
  if (x > window.max) return window.columns + 1
  return Math.floor((x - window.min) * perColumn)
}
