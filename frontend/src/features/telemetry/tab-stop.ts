/** The buttons of a toolbar that can be reached. */
function reachable(toolbar: HTMLElement): HTMLButtonElement[] {
  return [...toolbar.querySelectorAll('button')].filter(button => !button.hidden && !button.disabled)
}

/**
 * Keeps exactly one button of a toolbar reachable with Tab, after buttons were hidden or shown (roving tabindex of the
 * ARIA Authoring Practices). The button that was the stop stays it if it can be reached.
 */
export function keepTabStop(toolbar: HTMLElement) {
  const buttons = reachable(toolbar)
  const stop = buttons.find(button => button.tabIndex === 0) ?? buttons[0]
  for (const button of toolbar.querySelectorAll('button')) {
    const tabIndex = button === stop ? 0 : -1
    if (button.tabIndex !== tabIndex) button.tabIndex = tabIndex
  }
}

/** Moves the focus within a toolbar. Returns false for a key that does not. */
export function moveTabStop(toolbar: HTMLElement, key: string): boolean {
  const buttons = reachable(toolbar)
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const last = buttons.length - 1
  const to: Readonly<Record<string, number>> = {
    ArrowRight: at === last ? 0 : at + 1,
    ArrowLeft: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  }
  const next = buttons[to[key] ?? -1]
  if (!next) return false
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1
  next.focus({ preventScroll: true })
  return true
}
