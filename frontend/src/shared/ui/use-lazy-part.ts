import { useCallback, useEffect, useState } from 'react'

interface Loaded<T> {
  /** Null until it is loaded. */
  readonly part: T | null
  /** Whether the last attempt failed. */
  readonly isFailed: boolean
  readonly isLoading: boolean
}

/**
 * Loads a part when it is wanted. After a failure it loads again when the part is wanted the next time.
 * Loading fails without a network, and on a page that is older than the latest release. `load` must stay the
 * same.
 */
export function useLazyPart<T>(load: () => Promise<T>, isWanted: boolean) {
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
