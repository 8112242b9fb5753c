import type { Lap, Preview } from '@lapwing/telemetry'
import { type KeyboardEvent, useCallback } from 'react'
import { cursorKeyAction } from './cursor-keys.ts'
import type { CursorStore } from './cursor-store.ts'
import { playerOf } from './lap-player.ts'
import { rowInLap } from './lap-series.ts'

/** Returns the key handler of a focusable view; `cursor-keys.ts` says what each key does. */
export function useCursorKeys(
  preview: Preview,
  lap: Lap,
  cursor: CursorStore,
): (event: KeyboardEvent) => void {
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
