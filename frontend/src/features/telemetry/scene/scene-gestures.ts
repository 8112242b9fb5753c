import { CLICK_SLACK, type GesturePoint, PINCH_ZOOM, pointOn } from '#shared/drawing/pointer-gestures.ts'

/** The reactions of the scene to gestures. */
export interface SceneGestureTarget {
  /** Moves to where the pointer is; null after it has left. Not called during a drag. */
  hover(point: GesturePoint | null): void
  /** Handles a press and release without a move. */
  click(point: GesturePoint): void
  /** Turns the camera by pixels of a drag. */
  orbit(byX: number, byY: number): void
  pan(byX: number, byY: number): void
  zoom(factor: number): void
  /** Returns whether the cursor's mark is at this point, so that a finger there holds it. */
  holdsCursor(point: GesturePoint): boolean
  /** Moves the cursor to where the finger that holds it is. */
  dragCursor(point: GesturePoint): void
  /** Turns the camera by degrees: two fingers twist. */
  twist(byDeg: number): void
  reset(): void
}

/**
 * Turns pointer events into gestures. A drag orbits; with the right button or Shift it pans. One finger orbits
 * once it moves sideways, and scrolls the page otherwise; one that starts at the cursor's mark drags it along the
 * lap. Two fingers pan, zoom and twist. The wheel scrolls the page, and zooms with Ctrl, as on the flat map.
 * Returns the function that stops it.
 */
export function bindSceneGestures(element: HTMLElement, target: SceneGestureTarget): () => void {
  const pressed = new Map<number, GesturePoint>()
  let origin: GesturePoint | null = null
  let hasMoved = false
  let pans = false
  let dragsCursor = false

  const pointOf = (event: Pick<MouseEvent, 'clientX' | 'clientY'>) => pointOn(element, event)

  function onDown(event: PointerEvent) {
    if (event.button !== 0 && event.button !== 2) return
    const point = pointOf(event)
    pressed.set(event.pointerId, point)
    pans = event.button === 2 || event.shiftKey
    if (pressed.size === 1) {
      origin = point
      hasMoved = event.button === 2
      dragsCursor = event.pointerType === 'touch' && target.holdsCursor(point)
    } else {
      hasMoved = true
      dragsCursor = false
    }
    element.setPointerCapture(event.pointerId)
  }

  function onMove(event: PointerEvent) {
    const point = pointOf(event)
    const before = pressed.get(event.pointerId)
    if (!before || !origin) {
      if (event.pointerType !== 'touch') target.hover(point)
      return
    }
    if (!hasMoved && Math.hypot(point.x - origin.x, point.y - origin.y) > CLICK_SLACK) hasMoved = true
    if (!hasMoved) return
    const byX = point.x - before.x
    const byY = point.y - before.y
    if (pressed.size === 2) twoFingers(event.pointerId, before, point)
    else if (dragsCursor) target.dragCursor(point)
    else if (pans) target.pan(byX, byY)
    else target.orbit(byX, byY)
    pressed.set(event.pointerId, point)
  }

  function twoFingers(id: number, before: GesturePoint, point: GesturePoint) {
    let other = point
    for (const [key, value] of pressed) if (key !== id) other = value
    const was = Math.hypot(before.x - other.x, before.y - other.y)
    const is = Math.hypot(point.x - other.x, point.y - other.y)
    if (was > 0 && is > 0) target.zoom(is / was)
    const angle = (of: GesturePoint) => Math.atan2(of.y - other.y, of.x - other.x)
    const turned = ((angle(point) - angle(before)) * 180) / Math.PI
    if (Math.abs(turned) < 90) target.twist(turned)
    target.pan((point.x - before.x) / 2, (point.y - before.y) / 2)
  }

  function onUp(event: PointerEvent) {
    if (!pressed.delete(event.pointerId) || pressed.size > 0) return
    if (!hasMoved) target.click(pointOf(event))
    origin = null
  }

  function onCancel(event: PointerEvent) {
    pressed.delete(event.pointerId)
    if (pressed.size === 0) origin = null
  }

  /** Otherwise the browser scrolls the page with a finger that drags the cursor upwards. */
  function onTouchStart(event: TouchEvent) {
    const [finger] = event.touches
    if (event.touches.length === 1 && target.holdsCursor(pointOf(finger!))) event.preventDefault()
  }

  function onLeave(event: PointerEvent) {
    // A lifted finger does not point elsewhere: the cursor stays for reading.
    if (event.pointerType !== 'touch' && !pressed.has(event.pointerId)) target.hover(null)
  }

  function onWheel(event: WheelEvent) {
    if (!event.ctrlKey) return
    target.zoom(Math.exp(-event.deltaY * PINCH_ZOOM))
    event.preventDefault()
  }

  const stop = new AbortController()
  const { signal } = stop
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', onUp, { signal })
  element.addEventListener('pointercancel', onCancel, { signal })
  element.addEventListener('pointerleave', onLeave, { signal })
  element.addEventListener('touchstart', onTouchStart, { signal, passive: false })
  element.addEventListener('contextmenu', event => event.preventDefault(), { signal })
  element.addEventListener('wheel', onWheel, { signal, passive: false })
  element.addEventListener('dblclick', () => target.reset(), { signal })
  return () => stop.abort()
}
