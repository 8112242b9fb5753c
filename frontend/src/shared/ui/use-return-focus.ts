import { useRef } from 'react'

/**
 * Returns the focus to the element that had it before a Radix dialog opened. Radix does so only for its own
 * trigger, and otherwise leaves the page without a focus. If the element is gone, the main part gets it.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus() {
      before.current = document.activeElement
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      const target = before.current?.isConnected && before.current !== document.body ? before.current : null
      const element = target ?? document.querySelector('main')
      if (element instanceof HTMLElement) element.focus({ preventScroll: true })
    },
  }
}
