/** Pixels between the toasts and what is above them, and between two toasts that cover each other. */
const GAP = 12
const STEP = 14

/**
 * Sets `--toast-lane` to the height that the toasts of `root` take at the lower edge of the window, at most half of it;
 * without toasts the property is absent. The page keeps its readouts above it. Returns a function that stops.
 */
export function keepToastLane(root: HTMLElement): () => void {
  const page = document.documentElement
  const measure = () => {
    const toasts = [...root.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed="false"]')]
    if (toasts.length === 0) return page.style.removeProperty('--toast-lane')
    const isExpanded = toasts[0]!.dataset.expanded === 'true'
    const heights = toasts.map(
      toast => Number.parseFloat(toast.style.getPropertyValue('--initial-height')) || 0,
    )
    const stack = isExpanded
      ? heights.reduce((sum, height) => sum + height + STEP, -STEP)
      : heights[0]! + STEP * (toasts.length - 1)
    page.style.setProperty('--toast-lane', `${Math.min(innerHeight / 2, stack + 2 * GAP)}px`)
  }
  const changes = new MutationObserver(measure)
  changes.observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['style', 'data-removed', 'data-expanded'],
  })
  return () => {
    changes.disconnect()
    page.style.removeProperty('--toast-lane')
  }
}

/**
 * Lets Tab leave the toasts. Sonner returns the focus to the element before, each time it leaves. Tab would go round
 * between that element and the toasts. Returns a function that stops.
 */
export function letTabLeave(root: HTMLElement): () => void {
  let isTab = false
  const hear = ({ key }: KeyboardEvent) => {
    isTab = key === 'Tab'
  }
  const leave = (event: FocusEvent) => {
    if (isTab) event.stopPropagation()
    isTab = false
  }
  root.addEventListener('keydown', hear)
  root.addEventListener('focusout', leave)
  return () => {
    root.removeEventListener('keydown', hear)
    root.removeEventListener('focusout', leave)
  }
}
