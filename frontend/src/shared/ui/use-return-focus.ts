import { useRef } from 'react'

/** Handlers of a Radix dialog that is opened without a trigger of Radix's own. */
interface ReturnFocus {
  readonly onOpenAutoFocus: () => void
  readonly onCloseAutoFocus: (event: Event) => void
}

/**
 * Gives the focus back to where it was before a dialog opened. Radix does so only for its own trigger
 * and otherwise leaves the page without a focus. Where the element is gone the page's main part gets it.
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
