import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the focus in a part of the page whose controls come and go: where the one that had it is gone, `next` gets
 * it, or the part itself where that names none. The part takes `tabIndex={-1}`.
 */
export function useKeptFocus(
  part: RefObject<HTMLElement | null>,
  next: () => HTMLElement | null = () => null,
): void {
  // Before the change is made: afterwards nobody knows where the focus was.
  const wasInside = part.current?.contains(document.activeElement) ?? false
  useLayoutEffect(() => {
    if (!wasInside || document.activeElement !== document.body) return
    const element = next() ?? part.current
    element?.focus({ preventScroll: true })
  })
}
