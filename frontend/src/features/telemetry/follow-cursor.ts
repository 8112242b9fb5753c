import { everyFrame } from '#shared/drawing/every-frame.ts'
import type { CursorStore } from './cursor-store.ts'
import { clockOf } from './lap-clock.ts'

/**
 * Does the work now, and in the frame after each move of the cursor or its clock: between two rows only the clock
 * moves. Returns the function that ends it.
 */
export function followCursor(cursor: CursorStore, work: () => void): () => void {
  work()
  const task = everyFrame(work)
  const stops = [cursor.subscribe(task), clockOf(cursor).subscribe(task)]
  return () => {
    for (const stop of stops) stop()
    task.cancel()
  }
}
