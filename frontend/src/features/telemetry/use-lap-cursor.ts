import type { Lap } from '@lapwing/telemetry'
import { useEffect } from 'react'
import type { CursorStore } from './cursor-store.ts'
import { rowInLap } from './lap-series.ts'

/** Empties the cursor when the shown lap changes. A lock on another lap would otherwise stay. */
export function useLapCursor(lap: Pick<Lap, 'row_start' | 'row_end'>, cursor: CursorStore) {
  useEffect(() => {
    const { row, locked } = cursor.get()
    if (row === null || rowInLap(row, lap) !== null) return
    if (locked) cursor.toggleLock(null)
    cursor.hover(null)
  }, [lap, cursor])
}
