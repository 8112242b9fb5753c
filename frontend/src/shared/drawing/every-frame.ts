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
