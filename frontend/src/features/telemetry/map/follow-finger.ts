/** A point on the element, in CSS pixels from its upper left corner. */
interface FingerPoint {
  readonly x: number
  readonly y: number
}

/** Pixels that a finger can move and still be a tap. */
const TAP_SLACK = 4

/**
 * Reports where one finger is that moves sideways across a map, as on the outline. A finger that starts upwards
 * scrolls the page, and two fingers move the map. Returns the function that stops it.
 */
export function followFinger(element: HTMLElement, onMove: (point: FingerPoint) => void): () => void {
  let origin: FingerPoint | null = null
  let direction: 'unknown' | 'sideways' | 'upwards' = 'unknown'

  const pointOf = ({ clientX, clientY }: Touch): FingerPoint => {
    const box = element.getBoundingClientRect()
    return { x: clientX - box.left, y: clientY - box.top }
  }

  function onTouchStart({ touches }: TouchEvent) {
    origin = touches.length === 1 ? pointOf(touches[0]!) : null
    direction = 'unknown'
  }

  function onTouchMove(event: TouchEvent) {
    if (!origin || event.touches.length !== 1) return
    const point = pointOf(event.touches[0]!)
    const [movedX, movedY] = [Math.abs(point.x - origin.x), Math.abs(point.y - origin.y)]
    if (direction === 'unknown' && Math.hypot(movedX, movedY) > TAP_SLACK) {
      direction = movedX >= movedY ? 'sideways' : 'upwards'
    }
    if (direction === 'upwards') return
    // The library would ask for two fingers.
    event.stopPropagation()
    if (direction === 'sideways') onMove(point)
  }

  const stop = new AbortController()
  // Before the library, which listens further inside.
  const options = { signal: stop.signal, capture: true, passive: true }
  element.addEventListener('touchstart', onTouchStart, options)
  element.addEventListener('touchmove', onTouchMove, options)
  return () => stop.abort()
}
