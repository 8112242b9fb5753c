import type { CornerComparison } from '@lapwing/telemetry/compare'

/** The columns by which rows can be sorted. */
export type CornerColumn = 'name' | 'brake' | 'minSpeed' | 'throttle' | 'loss'

export interface CornerOrder {
  readonly by: CornerColumn
  readonly isDescending: boolean
}

/** In the order driven. */
export const asDriven: CornerOrder = { by: 'name', isDescending: false }

/** Returns the order after a press on a column's head. A second press reverses it. Losses start with the largest. */
export function nextOrder(order: CornerOrder, by: CornerColumn): CornerOrder {
  if (order.by === by) return { by, isDescending: !order.isDescending }
  return { by, isDescending: by === 'loss' }
}

/** Returns corners and straights, each sorted. Straights have a loss only. */
export function cornerRows(stretches: readonly CornerComparison[], order: CornerOrder) {
  const sorted = sortStretches(stretches, order)
  const straights = sorted.filter(({ kind }) => kind === 'straight')
  return {
    corners: sorted.filter(({ kind }) => kind === 'corner'),
    straights,
    /** Milliseconds lost on all straights together. */
    straightsMs: sum(straights),
    /** Milliseconds lost on the whole lap: the gap at the line. */
    gapMs: sum(stretches),
  }
}

const sum = (stretches: readonly CornerComparison[]) =>
  stretches.reduce((total, { lossMs }) => total + lossMs, 0)

/** Sorts by the driver's own lap. Unknown values come last in both directions. */
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
  brake: ({ lap }) => lap?.brakeM,
  minSpeed: ({ lap }) => lap?.minSpeedMps,
  throttle: ({ lap }) => lap?.throttleM,
  loss: ({ lossMs }) => lossMs,
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
