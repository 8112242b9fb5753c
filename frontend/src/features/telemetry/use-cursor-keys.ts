import type { Lap, Preview } from '@lapwing/telemetry'
import { useCallback } from 'react'
import { cursorKeyAction, type KeyPress } from './cursor-keys.ts'
import type { CursorStore } from './cursor-store.ts'
import { clockOf } from './lap-clock.ts'
import { mainSeries, rowInLap } from './lap-series.ts'

/** A key of React or of the browser. */
type CancellableKey = KeyPress & { preventDefault(): void }

/** Returns the key handler of a focusable view; `cursor-keys.ts` says what each key does. */
export function useCursorKeys(
  preview: Preview,
  lap: Lap,
  cursor: CursorStore,
): (event: CancellableKey) => void {
  return useCallback(
    event => {
      const { row, locked } = cursor.get()
      const action = cursorKeyAction(event, rowInLap(row, lap), lap, preview)
      if (action === null) return
      // Escape without a lock belongs to an open layer above.
      if (action === 'unlock' && !locked) return
      event.preventDefault()
      if (action === 'unlock') cursor.toggleLock(null)
      else if (action === 'play') clockOf(cursor).toggle(mainSeries(preview, lap))
      else cursor.move(action.row)
    },
    [preview, lap, cursor],
  )
}
