import { useState } from 'react'
import { isReachable } from '#shared/api/is-reachable.ts'

/** The sentence after a reload that did not happen. */
export const NOT_RELOADED = 'Your network is away, so the page was not reloaded. Try again when it is back.'

/** Leaves or reloads the page only if its server answers. `isAway` after an attempt without an answer. */
export function useSafeLeave() {
  const [isAway, setAway] = useState(false)
  const [isAsking, setAsking] = useState(false)
  async function leave(go: () => void) {
    setAsking(true)
    const isThere = await isReachable()
    setAsking(false)
    setAway(!isThere)
    if (isThere) go()
  }
  return { isAway, isAsking, leave }
}
