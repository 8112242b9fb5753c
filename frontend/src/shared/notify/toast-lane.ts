/** Pixels between the toasts and what is above them, and between two toasts that cover each other. */
const GAP = 12
const STEP = 14

/** Marks what toasts must not cover, and the strip that is always above them. */
const VALUES = '[data-shows-values]'
const STRIP = '[data-value-strip]'

/**
 * Sets `--toast-lane` to the height that the toasts of `root` take at the lower edge of the window, at most half of it;
 * without toasts the property is absent. The page keeps its readouts above it. In narrow windows, where the lane would
 * cover values, the page scrolls up for as long as the toasts show. At its top it does not: that would hide what a driver
 * presses next. Returns a function that stops.
 */
export function keepToastLane(root: HTMLElement): () => void {
  const page = document.documentElement
  let lanePx = 0
  /** How far the page has scrolled for the lane, and to where. */
  let scrolledPx = 0
  let scrolledTo = 0
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
    const mayScroll = scrollY > 0 && !matchMedia(HAS_ROOM_BESIDE).matches
    const wantedPx = mayScroll ? coveredPx(px, scrolledPx) : 0
    // Before the page loses the room of the lane, which would move it, too.
    if (wantedPx < scrolledPx) scroll(wantedPx)
    if (px === 0) page.style.removeProperty('--toast-lane')
    else page.style.setProperty('--toast-lane', `${px}px`)
    if (wantedPx > scrolledPx) scroll(wantedPx)
  }
  function scroll(wantedPx: number) {
    const before = scrollY
    // Who has scrolled meanwhile reads something else, which must not move.
    const isTheirs = scrolledPx !== 0 && Math.abs(before - scrolledTo) > 1
    if (!isTheirs) scrollBy({ top: wantedPx - scrolledPx, behavior: 'instant' })
    scrolledPx = wantedPx === 0 ? 0 : scrolledPx + scrollY - before
    scrolledTo = scrollY
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

/** From here on the toasts are below the right column; see `columns.ts`. */
const HAS_ROOM_BESIDE = '(width >= 80rem)'

/** Returns by how many pixels the lane covers values that are visible without it, if the page has scrolled already. */
function coveredPx(lanePx: number, scrolledPx: number): number {
  if (lanePx === 0) return 0
  const stripPx = document.querySelector(STRIP)?.getBoundingClientRect().height ?? 0
  const endPx = innerHeight - lanePx - stripPx - scrolledPx
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
