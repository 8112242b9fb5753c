import { type CornerBounds, type FoundCorner, pairCorners } from './corner.ts'
import { median } from './track-shape.ts'

/**
 * Returns the corners that more than half of the drivers show, each with the median of its bounds. Each list
 * holds the corners of one driver; their order does not matter.
 */
export function agreeOnCorners(drivers: readonly (readonly FoundCorner[])[]): readonly FoundCorner[] {
  const candidates = drivers.map(corners => ({
    corners,
    pairs: drivers.map(other => pairCorners(corners, other)),
  }))
  const typical = candidates.sort(
    (a, b) => paired(b.pairs) - paired(a.pairs) || compareTexts(textOf(a.corners), textOf(b.corners)),
  )[0]
  if (typical === undefined) return []
  const agreed = typical.corners.flatMap(corner => {
    const same = typical.pairs.flatMap(pairs => pairs.get(corner) ?? [])
    if (same.length <= drivers.length / 2) return []
    const middle = (bound: keyof CornerBounds): number => median(same.map(other => other[bound]))
    const bounds = { startPct: middle('startPct'), apexPct: middle('apexPct'), endPct: middle('endPct') }
    return [{ ...corner, ...bounds }]
  })
  return withoutOverlap(agreed)
}

function paired(pairs: readonly ReadonlyMap<FoundCorner, FoundCorner>[]): number {
  return pairs.reduce((sum, { size }) => sum + size, 0)
}

/** Moves crossing bounds of two neighbours, whose medians may cross by a little, to the middle. */
function withoutOverlap(corners: readonly FoundCorner[]): readonly FoundCorner[] {
  const apart = corners.map(corner => ({ ...corner }))
  for (let i = 1; i < apart.length; i++) {
    const before = apart[i - 1]!
    const corner = apart[i]!
    if (before.endPct > corner.startPct) {
      const meeting = (before.endPct + corner.startPct) / 2
      before.endPct = Math.max(before.apexPct, meeting)
      corner.startPct = Math.min(corner.apexPct, Math.max(meeting, before.endPct))
    }
  }
  return apart.filter((corner, i) => i === 0 || apart[i - 1]!.endPct <= corner.startPct)
}

function textOf(corners: readonly FoundCorner[]): string {
  return JSON.stringify(corners.map(({ startPct, apexPct, endPct }) => [startPct, apexPct, endPct]))
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
