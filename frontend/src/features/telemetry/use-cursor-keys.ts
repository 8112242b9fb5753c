import type { Lap, Preview } from '@lapwing/telemetry'
import { useCallback } from 'react'
import { goToCorner } from './corner-steps.ts'
import { cursorKeyAction, type KeyPress } from './cursor-keys.ts'
import type { CursorStore } from './cursor-store.ts'
import type { DistanceViewStore } from './distance-view-store.ts'
import type { LapComparison } from './lap-comparison.ts'
import { mainSeries, rowInLap } from './lap-series.ts'
import { togglePlayback } from './toggle-playback.ts'

/** A key of React or of the browser. */
type CancellableKey = KeyPress & { preventDefault(): void }

/** Returns the key handler of a focusable view; `cursor-keys.ts` says what each key does. */
export function useCursorKeys(
  preview: Preview,
  lap: Lap,
  cursor: CursorStore,
  view: DistanceViewStore,
  comparison: LapComparison | null,
): (event: CancellableKey) => void {
  return useCallback(
    event => {
      const { row, locked } = cursor.get()
      const action = cursorKeyAction(event, rowInLap(row, lap), lap, preview)
      if (action === null) return
      // Escape without a lock belongs to an open layer above.
      if (action === 'unlock' && !locked) return
      const main = mainSeries(preview, lap)
      if (typeof action === 'object' && 'corner' in action) {
        // Without corners the page scrolls.
        if (!goToCorner(action.corner, main, comparison, cursor, view)) return
      } else if (action === 'lock') cursor.toggleLock(rowInLap(row, lap) ?? lap.row_start)
      else if (action === 'unlock') cursor.toggleLock(null)
      else if (action === 'play') togglePlayback(main, cursor, view)
      else cursor.move(action.row)
      event.preventDefault()
    },
    [preview, lap, cursor, view, comparison],
  )
}
