import type { ColumnValues } from '../columns.ts'

/** Where one lap ends and the next begins. On most tracks both lines are the same. */
export interface Lines {
  /** SessionTime at which the lap ended: LapDistPct passed 1. */
  readonly finishS: number
  /** SessionTime at which the next lap began: LapDistPct passed 0. */
  readonly startS: number
  /** Rows on both sides of the finish line. */
  readonly rowFinish: number
  readonly rowPast: number
}

/**
 * Finds the lines between the good rows `a` and `b`, at which LapDistPct wraps. If the finish line lies
 * before the start line, LapDistPct runs beyond 1 between them (D-29).
 *
 * @param first the first row of the lap that ends
 * @param isGood whether a row has a finite LapDistPct and time
 */
export function findLines(
  pct: ColumnValues,
  timeS: ColumnValues,
  { first, a, b }: { readonly first: number; readonly a: number; readonly b: number },
  isGood: (row: number) => boolean,
): Lines {
  if (!areApart(pct[a]!)) {
    const crossedS = crossingTime(pct, timeS, a, b)
    return { finishS: crossedS, startS: crossedS, rowFinish: a, rowPast: b }
  }
  let rowPast = a
  let rowFinish = a
  while (rowFinish > first && pct[rowFinish]! >= 1) {
    rowPast = rowFinish
    do rowFinish--
    while (rowFinish > first && !isGood(rowFinish))
  }
  const share = (1 - pct[rowFinish]!) / (pct[rowPast]! - pct[rowFinish]!)
  const finishS =
    share >= 0 && share <= 1
      ? timeS[rowFinish]! + (timeS[rowPast]! - timeS[rowFinish]!) * share
      : timeS[rowFinish]!
  return { finishS, startS: startTime(pct, timeS, { a, b }, isGood), rowFinish, rowPast }
}

/**
 * Returns true if `lastPct`, the last value before the wrap, lies beyond a finish line before the start line.
 */
export function areApart(lastPct: number): boolean {
  return lastPct > 1 + HAIR_PCT && lastPct <= 1 + MAX_APART_PCT
}

/** LapDistPct can leave 0..1 by this much if both lines are one. */
const HAIR_PCT = 0.0005
/** The longest way from the finish line to the start line, as a share of the lap. */
const MAX_APART_PCT = 0.05

/** Returns the time at which LapDistPct passed 0, extrapolated from the two rows after it. */
function startTime(
  pct: ColumnValues,
  timeS: ColumnValues,
  { a, b }: { readonly a: number; readonly b: number },
  isGood: (row: number) => boolean,
): number {
  let next = b + 1
  while (next < pct.length && !isGood(next)) next++
  const pace = next < pct.length ? (timeS[next]! - timeS[b]!) / (pct[next]! - pct[b]!) : Number.NaN
  const backS = pct[b]! * pace
  return backS > 0 && backS <= timeS[b]! - timeS[a]! ? timeS[b]! - backS : timeS[b]!
}

/**
 * Returns the SessionTime at which LapDistPct passed 1. The row after can lie just before the line, at
 * -0.0001.
 */
function crossingTime(pct: ColumnValues, timeS: ColumnValues, a: number, b: number): number {
  const ahead = 1 - pct[a]!
  const step = ahead + pct[b]!
  if (!(step > 1e-9)) return timeS[b]!
  const share = Math.min(2, Math.max(-1, ahead / step))
  return timeS[a]! + (timeS[b]! - timeS[a]!) * share
}

/** Returns the step of LapDistPct from one row to another, the short way round the lap. */
export function stepPct(pctFrom: number, pctTo: number): number {
  if (pctFrom > 0.9 && pctTo < 0.1) return areApart(pctFrom) ? pctTo : pctTo - pctFrom + 1
  if (pctFrom < 0.1 && pctTo > 0.9) return areApart(pctTo) ? -pctFrom : pctTo - pctFrom - 1
  return pctTo - pctFrom
}
