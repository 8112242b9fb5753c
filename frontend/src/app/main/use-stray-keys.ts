import { type RefObject, useEffect } from 'react'

/** Keys without another meaning while no control has the focus. Up, down, Home and End scroll the page. */
const KEYS: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', ' ', 'l', 'L'])

/**
 * Passes the cursor's keys to the first view inside `root` while nothing has the focus. A driver can then
 * step through a lap immediately, without reaching the view with Tab.
 */
export function useStrayKeys(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const focused = document.activeElement
      const isStray = focused === null || focused === document.body || focused.tagName === 'MAIN'
      const isCombination = event.altKey || event.ctrlKey || event.metaKey
      if (!isStray || !KEYS.has(event.key) || isCombination || event.defaultPrevented) return
      const view = root.current?.querySelector<HTMLElement>('[role="slider"]')
      if (!view) return
      event.preventDefault()
      view.focus({ preventScroll: true })
      view.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: event.key,
          shiftKey: event.shiftKey,
          bubbles: true,
          cancelable: true,
        }),
      )
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [root])
}
