import type { CornerComparison } from '@lapwing/telemetry/compare'

/** The columns by which rows can be sorted. */
export type CornerColumn = 'name' | 'brake' | 'release' | 'apex' | 'minSpeed' | 'throttle' | 'loss'

export interface CornerOrder {
  readonly by: CornerColumn
  readonly isDescending: boolean
}

/** The order until a column is pressed: what cost most comes first. */
export const byLoss: CornerOrder = { by: 'loss', isDescending: true }

/** Returns the order after a press on a column's head. A second press reverses it. Losses start with the largest. */
export function nextOrder(order: CornerOrder, by: CornerColumn): CornerOrder {
  if (order.by === by) return { by, isDescending: !order.isDescending }
  return { by, isDescending: by === 'loss' }
}

/** Returns corners, straights and incidents in one sorted list, and the gap that their losses add up to. */
export function cornerRows(stretches: readonly CornerComparison[], order: CornerOrder) {
  return {
    rows: sortStretches(stretches, order),
    gapMs: gapAtLineMs(stretches),
  }
}

/** Returns the milliseconds lost on the whole lap. */
export function gapAtLineMs(stretches: readonly CornerComparison[]): number {
  return stretches.reduce((total, { lossMs }) => total + lossMs, 0)
}

/**
 * Sorts by the driver's own lap. Unknown values come last in both directions: straights and incidents have a place and
 * a loss only.
 */
function sortStretches(
  stretches: readonly CornerComparison[],
  { by, isDescending }: CornerOrder,
): CornerComparison[] {
  const direction = isDescending ? -1 : 1
  return [...stretches].sort((a, b) => {
    const first = figures[by](a)
    const second = figures[by](b)
    if (first == null || second == null) return Number(first == null) - Number(second == null)
    return direction * (first - second)
  })
}

const figures: Record<CornerColumn, (stretch: CornerComparison) => number | null | undefined> = {
  name: ({ startPct }) => startPct,
  // A driver who only lifts comes to the corner there, too.
  brake: ({ lap }) => lap?.brakeM ?? lap?.liftM,
  release: ({ lap }) => lap?.releaseM,
  apex: ({ lap }) => lap?.apexM,
  minSpeed: ({ lap }) => lap?.minSpeedMps,
  throttle: ({ lap }) => lap?.throttleM,
  loss: ({ lossMs }) => lossMs,
}

/** Returns the corner that cost the most time; null if the lap lost none in a corner. */
export function costliestCorner(stretches: readonly CornerComparison[]): CornerComparison | null {
  return stretches.reduce<CornerComparison | null>(
    (most, stretch) => (stretch.corner && stretch.lossMs > (most?.lossMs ?? 0) ? stretch : most),
    null,
  )
}

/** Returns the stretch that overlaps most with a part of the lap; null if there are no stretches. */
export function stretchAt(
  stretches: readonly CornerComparison[],
  from: number,
  to: number,
): CornerComparison | null {
  const common = ({ startPct, endPct }: CornerComparison) =>
    (Math.min(endPct, to) - Math.max(startPct, from)) / (Math.max(endPct, to) - Math.min(startPct, from))
  return stretches.reduce<CornerComparison | null>(
    (best, stretch) => (best === null || common(stretch) > common(best) ? stretch : best),
    null,
  )
}
