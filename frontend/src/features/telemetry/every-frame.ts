import type { CursorStore } from './cursor-store.ts'

export type RequestFrame = (callback: (timeMs: number) => void) => number

/** A function that can be called any number of times, and does its work once in the next animation frame. */
interface FrameTask {
  (): void
  /** Cancels pending work. */
  cancel(): void
}

export function everyFrame(
  work: () => void,
  requestFrame: RequestFrame = callback => requestAnimationFrame(callback),
  cancelFrame: (handle: number) => void = handle => cancelAnimationFrame(handle),
): FrameTask {
  let due: number | null = null
  const task = () => {
    due ??= requestFrame(() => {
      due = null
      work()
    })
  }
  return Object.assign(task, {
    cancel() {
      if (due !== null) cancelFrame(due)
      due = null
    },
  })
}

/**
 * Does the work immediately, and in the next frame after each move of the cursor. Returns the function that
 * ends this.
 */
export function followCursor(cursor: CursorStore, work: () => void): () => void {
  work()
  const task = everyFrame(work)
  const stop = cursor.subscribe(task)
  return () => {
    stop()
    task.cancel()
  }
}
