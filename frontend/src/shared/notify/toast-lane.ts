/** Pixels between the toasts and what is above them, and between two toasts that cover each other. */
const GAP = 12
const STEP = 14

/** Marks what toasts must not cover, and the strip that is always above them. */
const VALUES = '[data-shows-values]'
const STRIP = '[data-value-strip]'

/**
 * Sets `--toast-lane` to the height that the toasts of `root` take at the lower edge of the window, at most half of it;
 * without toasts the property is absent. The page keeps its readouts above it. If the lane would cover values,
 * `--toast-shift` is how far the page moves down, a negative length. In wide windows the page ignores it. Returns a function that stops.
 */
export function keepToastLane(root: HTMLElement): () => void {
  const page = document.documentElement
  let lanePx = 0
  let shiftPx = 0
  const measure = () => {
    const toasts = [...root.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed="false"]')]
    if (toasts.length === 0) return setLane(0)
    const isExpanded = toasts[0]!.dataset.expanded === 'true'
    const heights = toasts.map(
      toast => Number.parseFloat(toast.style.getPropertyValue('--initial-height')) || 0,
    )
    const stack = isExpanded
      ? heights.reduce((sum, height) => sum + height + STEP, -STEP)
      : heights[0]! + STEP * (toasts.length - 1)
    setLane(Math.min(innerHeight / 2, stack + 2 * GAP))
  }
  function setLane(px: number) {
    if (px === lanePx) return
    lanePx = px
    shiftPx = coveredPx(px, shiftPx)
    setOrRemove('--toast-lane', px)
    setOrRemove('--toast-shift', -shiftPx)
    // For rules: one that asks for the property's name is checked whenever any element's style changes.
    page.toggleAttribute('data-toast-shift', shiftPx !== 0)
  }
  function setOrRemove(name: string, px: number) {
    if (px === 0) page.style.removeProperty(name)
    else page.style.setProperty(name, `${px}px`)
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
    setLane(0)
  }
}

/** Returns by how many pixels the lane covers values that are visible without it, with the page moved up already. */
function coveredPx(lanePx: number, shiftPx: number): number {
  if (lanePx === 0) return 0
  const stripPx = document.querySelector(STRIP)?.getBoundingClientRect().height ?? 0
  const endPx = innerHeight - lanePx - stripPx - shiftPx
  const covered = [...document.querySelectorAll(VALUES)].map(part => {
    const { top, bottom } = part.getBoundingClientRect()
    return top < endPx + lanePx ? Math.min(lanePx, bottom - endPx) : 0
  })
  return Math.max(0, ...covered)
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
