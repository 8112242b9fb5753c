/** A point on the element, in CSS pixels from its upper left corner. */
export interface GesturePoint {
  readonly x: number
  readonly y: number
}

/** The reactions of outline and traces to gestures. */
interface GestureTarget {
  /** Moves to where the pointer is; null after it has left. Not called during a drag. */
  hover(point: GesturePoint | null): void
  /** Handles a press and release without a move. */
  click(point: GesturePoint): void
  pan(byX: number, byY: number): void
  /** Zooms; a factor above 1 is closer. Returns false if nothing changed, so that the page can scroll. */
  zoom(factor: number, around: GesturePoint): boolean
  reset(): void
  /** Returns whether one finger pans. Otherwise it moves the cursor, like the pointer of a mouse. */
  fingerPans(): boolean
}

/** Pixels that a press can move and still be a click. */
export const CLICK_SLACK = 4

/** Zoom per wheel unit. A pinch on a touchpad is a wheel event with Ctrl and small steps. */
const WHEEL_ZOOM = 0.0016
export const PINCH_ZOOM = 0.01
const WHEEL_LINE_PX = 16

/** `WheelEvent.DOM_DELTA_LINE` */
const DELTA_LINE = 1

/** Returns where on the element a pointer or a finger is. */
export function pointOn(
  element: HTMLElement,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): GesturePoint {
  const { left, top } = element.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

/**
 * Turns pointer and wheel events of an element into gestures: hover, click, drag, wheel, pinch with two
 * fingers, double click. Returns the function that stops it.
 */
export function bindGestures(element: HTMLElement, target: GestureTarget): () => void {
  const pressed = new Map<number, GesturePoint>()
  let origin: GesturePoint | null = null
  let moved = false
  let scrolls = false

  const pointOf = (event: MouseEvent) => pointOn(element, event)

  function onDown(event: PointerEvent) {
    if (event.button !== 0) return
    const point = pointOf(event)
    pressed.set(event.pointerId, point)
    if (pressed.size === 1) {
      origin = point
      moved = false
      scrolls = false
    } else moved = true
    element.setPointerCapture(event.pointerId)
  }

  function onMove(event: PointerEvent) {
    const point = pointOf(event)
    const before = pressed.get(event.pointerId)
    if (!before || !origin) {
      if (event.pointerType !== 'touch') target.hover(point)
      return
    }
    const movedX = Math.abs(point.x - origin.x)
    const movedY = Math.abs(point.y - origin.y)
    const isScrubbing = event.pointerType === 'touch' && !target.fingerPans()
    if (!moved && Math.hypot(movedX, movedY) > CLICK_SLACK) {
      moved = true
      // A finger that starts upwards scrolls the page; the browser takes it over.
      scrolls = isScrubbing && movedY > movedX
    }
    if (!moved) return
    if (pressed.size === 2) pinch(event.pointerId, before, point)
    else if (scrolls) return
    else if (isScrubbing) target.hover(point)
    else target.pan(point.x - before.x, point.y - before.y)
    pressed.set(event.pointerId, point)
  }

  function pinch(id: number, before: GesturePoint, point: GesturePoint) {
    let other = point
    for (const [key, value] of pressed) if (key !== id) other = value
    const was = Math.hypot(before.x - other.x, before.y - other.y)
    const is = Math.hypot(point.x - other.x, point.y - other.y)
    if (was > 0 && is > 0) target.zoom(is / was, { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 })
    target.pan((point.x - before.x) / 2, (point.y - before.y) / 2)
  }

  function onUp(event: PointerEvent) {
    if (!pressed.delete(event.pointerId)) return
    if (pressed.size > 0) return
    if (!moved) target.click(pointOf(event))
    origin = null
  }

  function onCancel(event: PointerEvent) {
    pressed.delete(event.pointerId)
    if (pressed.size === 0) origin = null
  }

  function onLeave(event: PointerEvent) {
    // A lifted finger does not point elsewhere: the cursor stays for reading.
    if (event.pointerType !== 'touch' && !pressed.has(event.pointerId)) target.hover(null)
  }

  function onWheel(event: WheelEvent) {
    const unit = event.deltaMode === DELTA_LINE ? WHEEL_LINE_PX : 1
    let used: boolean
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.ctrlKey) {
      target.pan(-event.deltaX * unit, 0)
      used = true
    } else {
      const factor = Math.exp(-event.deltaY * unit * (event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM))
      used = target.zoom(factor, pointOf(event))
    }
    // Ctrl and wheel would otherwise zoom the whole page.
    if (used || event.ctrlKey) event.preventDefault()
  }

  const stop = new AbortController()
  const { signal } = stop
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', onUp, { signal })
  element.addEventListener('pointercancel', onCancel, { signal })
  element.addEventListener('pointerleave', onLeave, { signal })
  element.addEventListener('wheel', onWheel, { signal, passive: false })
  element.addEventListener('dblclick', () => target.reset(), { signal })
  return () => stop.abort()
}
