/** Returns an element at (10, 20), and a function that sends it events at positions relative to it. */
export function pointerElement() {
  const element = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 10, top: 20 }),
    setPointerCapture: () => {},
  }) as unknown as HTMLElement
  function send(type: string, x: number, y: number, more: object = {}) {
    const place = { clientX: x + 10, clientY: y + 20 }
    const event = Object.assign(new Event(type, { cancelable: true }), {
      ...place,
      touches: [place],
      pointerId: 1,
      pointerType: 'mouse',
      button: 0,
      shiftKey: false,
      ctrlKey: false,
      ...more,
    })
    element.dispatchEvent(event)
    return event
  }
  return { element, send }
}

/** Properties of the event of a finger. */
export const finger = (pointerId = 1) => ({ pointerType: 'touch', pointerId })
