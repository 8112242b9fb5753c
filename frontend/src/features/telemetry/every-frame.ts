import type { CursorStore } from './cursor-store.ts'
import { clockOf } from './lap-clock.ts'

export type RequestFrame = (callback: (timeMs: number) => void) => number

/** Returns a function that can be called any number of times, and does its work once in the next frame. */
export function everyFrame(
  work: () => void,
  requestFrame: RequestFrame = callback => requestAnimationFrame(callback),
  cancelFrame: (handle: number) => void = handle => cancelAnimationFrame(handle),
) {
  let due: number | null = null
  const task = () => {
    due ??= requestFrame(() => {
      due = null
      work()
    })
  }
  return Object.assign(task, {
    /** Cancels pending work. */
    cancel() {
      if (due !== null) cancelFrame(due)
      due = null
    },
  })
}

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
