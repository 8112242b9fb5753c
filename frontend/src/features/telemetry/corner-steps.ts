import type { CursorStore } from './cursor-store.ts'
import { type ChosenPart, type DistanceViewStore, rangeOfPart } from './distance-view-store.ts'
import type { CornerPosition, LapComparison } from './lap-comparison.ts'
import { type LapSeries, rowInLap } from './lap-series.ts'
import { rowAtShare } from './same-position.ts'

/**
 * Returns the next corner after a place of the lap (1), or the last one before it (-1). After the last corner comes the
 * first; undefined without corners.
 */
export function nextCorner(
  corners: readonly CornerPosition[],
  fromM: number,
  direction: 1 | -1,
): CornerPosition | undefined {
  return direction === 1
    ? (corners.find(({ apexM }) => apexM > fromM + SAME_M) ?? corners[0])
    : (corners.findLast(({ apexM }) => apexM < fromM - SAME_M) ?? corners.at(-1))
}

/** Metres. A cursor this near to an apex is at it: it can only be at a sample. */
const SAME_M = 2

/** Returns whether a corner was chosen. By its place: stored corners that arrive later can have other numbers. */
export function isChosen(corner: CornerPosition, chosen: ChosenPart | undefined): boolean {
  if (!chosen) return false
  const common = Math.min(corner.endM, chosen.endM) - Math.max(corner.startM, chosen.startM)
  const all = Math.max(corner.endM, chosen.endM) - Math.min(corner.startM, chosen.startM)
  return common > all / 2
}

/** Shows a corner in all views; null shows the whole lap. */
export function showCorner(
  corner: CornerPosition | null,
  { lengthM }: Pick<LapComparison, 'lengthM'>,
  view: DistanceViewStore,
) {
  view.set(corner && rangeOfPart(corner, lengthM))
}

/**
 * Shows the next corner and moves the cursor to its apex. Begins at the chosen corner, or else at the cursor. Returns
 * false without corners.
 */
export function goToCorner(
  direction: 1 | -1,
  main: LapSeries,
  comparison: LapComparison | null,
  cursor: CursorStore,
  view: DistanceViewStore,
): boolean {
  if (!comparison) return false
  const { corners, lengthM } = comparison
  const { chosen } = view.get() ?? {}
  const row = rowInLap(cursor.get().row, main.lap)
  const cursorM = row === null ? (direction === 1 ? 0 : lengthM) : main.preview.lapDistPct[row]! * lengthM
  const fromM = chosen
    ? (corners.find(corner => isChosen(corner, chosen))?.apexM ?? (chosen.startM + chosen.endM) / 2)
    : cursorM
  const corner = nextCorner(corners, fromM, direction)
  if (!corner) return false
  showCorner(corner, comparison, view)
  cursor.move(rowAtShare(main, corner.apexM / lengthM))
  return true
}
