import type { Lap, Preview } from '@lapwing/telemetry'

/** What a key does: moves to a row, or a command. Null if the key is not for the cursor. */
type CursorKeyAction =
  | { readonly row: number }
  | { readonly corner: 1 | -1 }
  | 'lock'
  | 'unlock'
  | 'play'
  | null

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** Share of the lap that Shift and an arrow step. */
const LARGE_STEP = 0.01

const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }

/**
 * Returns the action of a key in a focused view. Arrows step one sample, Shift and arrows 1 % of the lap.
 * Home and End jump to the ends. L and Enter lock and unlock, Escape unlocks, Space plays. Page Up and Page Down go to
 * the corner before and after.
 */
export function cursorKeyAction(
  press: KeyPress,
  row: number | null,
  lap: Pick<Lap, 'row_start' | 'row_end'>,
  series: Pick<Preview, 'lapDistPct'>,
): CursorKeyAction {
  if (isForBrowser(press)) return null
  if (press.key === 'Home') return { row: lap.row_start }
  if (press.key === 'End') return { row: lap.row_end }
  if (press.key === 'Escape') return 'unlock'
  if (press.key === ' ') return 'play'
  if (press.key === 'Enter' || press.key.toLowerCase() === 'l') return 'lock'
  if (press.key === 'PageDown') return { corner: 1 }
  if (press.key === 'PageUp') return { corner: -1 }
  const direction = steps[press.key]
  if (direction === undefined) return null
  const from = Math.min(lap.row_end, Math.max(lap.row_start, row ?? lap.row_start))
  if (press.shiftKey) return { row: stepByShare(series.lapDistPct, from, direction, lap) }
  return { row: Math.min(lap.row_end, Math.max(lap.row_start, from + direction)) }
}

const zooms: Readonly<Record<string, 'in' | 'out' | 'reset'>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'reset',
}

/** Returns the zoom action of a key: plus and minus zoom, 0 shows the whole lap. Null for other keys. */
export function zoomKeyAction(press: KeyPress): 'in' | 'out' | 'reset' | null {
  return isForBrowser(press) ? null : (zooms[press.key] ?? null)
}

/** Returns whether the browser gets the key. Alt, Ctrl and Meta are its own: Ctrl and plus zooms the page. */
function isForBrowser(press: KeyPress): boolean {
  return press.altKey || press.ctrlKey || press.metaKey
}

/** Finds the first row at least 1 % of the lap away, or the lap's end. Skips rows without a position. */
function stepByShare(
  pct: ArrayLike<number>,
  from: number,
  direction: 1 | -1,
  lap: Pick<Lap, 'row_start' | 'row_end'>,
): number {
  // Shares are 32-bit floats, which can be slightly below 1 %.
  const enough = LARGE_STEP - 1e-6
  let row = from
  const end = direction > 0 ? lap.row_end : lap.row_start
  while (row !== end) {
    row += direction
    if (direction * (pct[row]! - pct[from]!) >= enough) return row
  }
  return end
}
