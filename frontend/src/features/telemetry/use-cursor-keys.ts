import type { Lap, Preview } from '@lapwing/telemetry'
import { useCallback } from 'react'
import { cursorKeyAction, type KeyPress } from './cursor-keys.ts'
import type { CursorStore } from './cursor-store.ts'
import { playerOf } from './lap-player.ts'
import { rowInLap } from './lap-series.ts'

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
      else if (action === 'play') togglePlaying(preview, lap, cursor)
      else cursor.move(action.row)
    },
    [preview, lap, cursor],
  )
}

export function togglePlaying(preview: Preview, lap: Lap, cursor: CursorStore) {
  const player = playerOf(cursor)
  if (player.playing.get()) player.pause()
  else player.play(preview, lap)
}
