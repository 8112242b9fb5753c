import { startTransition, useEffect, useState } from 'react'

/**
 * False at first, true once what was drawn so far is on the screen. Splits a large view into parts
 * that are drawn one after the other, each short enough for the page to keep answering.
 */
export function useLater(isBefore = true): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    if (!isBefore) return
    let timer: ReturnType<typeof setTimeout>
    // A task of its own after the frame.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setLater(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isBefore])
  return isLater
}
