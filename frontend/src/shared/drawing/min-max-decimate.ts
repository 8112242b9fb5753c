/** Points of a line, in the order they were driven. A NaN in `y` lifts the pen. */
export interface LinePoints {
  readonly x: Float64Array
  readonly y: Float64Array
}

interface DecimateWindow {
  /** The visible part of the x axis. */
  readonly min: number
  readonly max: number
  /** The width of that part in pixels. */
  readonly columns: number
  /** The longest step in x that was driven; a longer one breaks the line. */
  readonly maxStep: number
}

/**
 * Reduces a line to what its pixels can show. Each run of samples in one pixel column keeps its first,
 * lowest, highest and last, in their order. Peaks survive at any zoom, and the line covers the same pixels as
 * the full one. Outside the window only the nearest samples stay, so that lines leave it at the right slope.
 *
 * `x` can decrease: a car that spins rolls backwards.
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
      // Outside the window only the points matter at which the line leaves and returns.
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

/** Returns the column of x: from 0 to `columns`, at the right edge; -1 or `columns + 1` outside. */
function columnOf(x: number, window: DecimateWindow, perColumn: number): number {
  if (x < window.min) return -1
  if (x > window.max) return window.columns + 1
  return Math.floor((x - window.min) * perColumn)
}

/** Returns the longest step that a car drives between two samples of a lap, in metres. A longer one breaks the line. */
export function longestStep(lapM: number): number {
  return Math.max(30, 0.02 * lapM)
}

/** Returns the lowest and the highest value of reduced lines between two values of x; null without one. */
export function lineExtent(lines: readonly LinePoints[], min: number, max: number): [number, number] | null {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const { x, y } of lines) {
    for (let i = 0; i < x.length; i++) {
      if (!(x[i]! >= min && x[i]! <= max)) continue
      if (y[i]! < low) low = y[i]!
      if (y[i]! > high) high = y[i]!
    }
  }
  return low <= high ? [low, high] : null
}
