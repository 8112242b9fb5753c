import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the focus in a part of the page whose controls come and go. If the focused control is gone, the focus
 * moves to the result of `next`, or to the part itself if that is empty. The part needs `tabIndex={-1}`.
 */
export function useKeptFocus(
  part: RefObject<HTMLElement | null>,
  next: () => HTMLElement | null = () => null,
): void {
  // Read before React changes the page; afterwards the old focus is unknown.
  const wasInside = part.current?.contains(document.activeElement) ?? false
  useLayoutEffect(() => {
    if (!wasInside || document.activeElement !== document.body) return
    const element = next() ?? part.current
    element?.focus({ preventScroll: true })
  })
}
