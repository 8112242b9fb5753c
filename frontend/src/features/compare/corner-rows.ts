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

/** Corners and straights, each sorted. Straights have a loss only. */
interface CornerRows {
  readonly corners: readonly CornerComparison[]
  readonly straights: readonly CornerComparison[]
  /** Milliseconds lost on all straights together. */
  readonly straightsMs: number
  /** Milliseconds lost on the whole lap: the gap at the line. */
  readonly gapMs: number
}

export function cornerRows(stretches: readonly CornerComparison[], order: CornerOrder): CornerRows {
  const sorted = sortStretches(stretches, order)
  const straights = sorted.filter(({ kind }) => kind === 'straight')
  return {
    corners: sorted.filter(({ kind }) => kind === 'corner'),
    straights,
    straightsMs: sum(straights),
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
    const first = figureOf(a, by)
    const second = figureOf(b, by)
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    return direction * (first - second)
  })
}

function figureOf(stretch: CornerComparison, by: CornerColumn): number | null {
  switch (by) {
    case 'name':
      return stretch.startPct
    case 'brake':
      return stretch.lap?.brakeM ?? null
    case 'minSpeed':
      return stretch.lap?.minSpeedMps ?? null
    case 'throttle':
      return stretch.lap?.throttleM ?? null
    case 'loss':
      return stretch.lossMs
  }
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
