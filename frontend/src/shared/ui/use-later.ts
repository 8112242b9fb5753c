import { startTransition, useEffect, useState } from 'react'

/**
 * Returns false at first, and true when what is rendered so far is on the screen. Splits a large view into
 * parts that render one after another, each short enough for the page to stay responsive.
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
