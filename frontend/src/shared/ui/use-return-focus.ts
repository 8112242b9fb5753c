import { useRef } from 'react'

/** Handlers of a Radix dialog that opens without a Radix trigger. */
interface ReturnFocus {
  readonly onOpenAutoFocus: () => void
  readonly onCloseAutoFocus: (event: Event) => void
}

/**
 * Returns the focus to the element that had it before a dialog opened. Radix does so only for its own trigger, and
 * otherwise leaves the page without a focus. If the element is gone, the page's main part gets the focus.
 */
export function useReturnFocus(): ReturnFocus {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus() {
      before.current = document.activeElement
    },
    onCloseAutoFocus(event) {
      event.preventDefault()
      const target = before.current?.isConnected && before.current !== document.body ? before.current : null
      const element = target ?? document.querySelector('main')
      if (element instanceof HTMLElement) element.focus({ preventScroll: true })
    },
  }
}
