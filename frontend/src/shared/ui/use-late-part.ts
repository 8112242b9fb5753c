import { useCallback, useEffect, useState } from 'react'

/** A part of the page that loads its code when it is first wanted. */
export interface LatePart<T> {
  /** Null until it is here. */
  readonly part: T | null
  /** The last try failed. */
  readonly isFailed: boolean
  readonly isLoading: boolean
  readonly retry: () => void
}

interface Loaded<T> {
  readonly part: T | null
  readonly isFailed: boolean
  readonly isLoading: boolean
}

/**
 * Loads a part when it is wanted, and again when it is wanted once more after a failure. Code cannot be had while the
 * network is away, and not at all by a page that is older than the site's latest release. `load` must stay the same.
 */
export function useLatePart<T>(load: () => Promise<T>, isWanted: boolean): LatePart<T> {
  const [state, setState] = useState<Loaded<T>>({ part: null, isFailed: false, isLoading: false })
  const { part } = state
  const start = useCallback(() => {
    setState(before => ({ ...before, isLoading: true }))
    load().then(
      loaded => setState({ part: loaded, isFailed: false, isLoading: false }),
      () => setState({ part: null, isFailed: true, isLoading: false }),
    )
  }, [load])
  useEffect(() => {
    if (isWanted && part === null) start()
  }, [isWanted, part, start])
  return { ...state, retry: start }
}
