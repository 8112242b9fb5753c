/** What a drag along the distance axis does. Places are pixels from the left edge of the plots. */
interface RangeDragTarget {
  /** Shows the part between two places; null after the drag. */
  show(part: { readonly fromX: number; readonly toX: number } | null): void
  choose(fromX: number, toX: number): void
}

/** Pixels. A shorter drag is a click. */
const LEAST_PX = 4

/** Turns a drag along an element into a range. Escape gives it up. Returns the function that stops it. */
export function bindRangeDrag(axis: HTMLElement, target: RangeDragTarget): () => void {
  let from: { readonly pointer: number; readonly x: number } | null = null
  const xOf = (event: PointerEvent) => event.clientX - axis.getBoundingClientRect().left

  function end() {
    from = null
    target.show(null)
  }

  const stop = new AbortController()
  const { signal } = stop
  axis.addEventListener(
    'pointerdown',
    event => {
      if (event.button !== 0 || from) return
      from = { pointer: event.pointerId, x: xOf(event) }
      axis.setPointerCapture(event.pointerId)
    },
    { signal },
  )
  axis.addEventListener(
    'pointermove',
    event => {
      if (event.pointerId === from?.pointer) target.show({ fromX: from.x, toX: xOf(event) })
    },
    { signal },
  )
  axis.addEventListener(
    'pointerup',
    event => {
      if (event.pointerId !== from?.pointer) return
      const { x } = from
      end()
      if (Math.abs(xOf(event) - x) >= LEAST_PX) target.choose(x, xOf(event))
    },
    { signal },
  )
  axis.addEventListener('pointercancel', end, { signal })
  document.addEventListener('keydown', event => event.key === 'Escape' && from && end(), { signal })
  return () => stop.abort()
}
