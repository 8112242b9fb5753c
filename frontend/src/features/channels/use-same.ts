import { useState } from 'react'

/** Returns the value that `make` returned for the same parts. Like `useMemo`, for any number of parts. */
export function useSame<T>(parts: readonly unknown[], make: () => T): T {
  const [held, setHeld] = useState(() => ({ parts, value: make() }))
  const isSame =
    parts.length === held.parts.length && parts.every((part, i) => Object.is(part, held.parts[i]))
  if (isSame) return held.value
  const next = { parts, value: make() }
  setHeld(next)
  return next.value
}
