import { useEffect, useState } from 'react'

/** Rows of one frame: more would keep the page from answering. The first ones fill the window. */
const A_FRAME = 16

export interface DrawnRows<Row> {
  readonly drawn: readonly Row[]
  /** How many more `showMore` adds; 0 if all rows are there or on their way. */
  readonly more: number
  readonly showMore: () => void
}

/**
 * Draws a long list in steps, some rows with each frame, so that it never blocks the page. Stops at `most` rows, and
 * after as many again with each `showMore`.
 */
export function useDrawnRows<Row>(rows: readonly Row[], most: number): DrawnRows<Row> {
  const [limit, setLimit] = useState(most)
  const [reached, setReached] = useState(A_FRAME)
  const count = Math.min(limit, rows.length)
  useEffect(() => {
    if (reached >= count) return
    const frame = requestAnimationFrame(() => setReached(reached + A_FRAME))
    return () => cancelAnimationFrame(frame)
  }, [reached, count])
  return {
    drawn: rows.slice(0, Math.min(reached, count)),
    more: Math.min(most, rows.length - count),
    showMore: () => setLimit(limit + most),
  }
}
