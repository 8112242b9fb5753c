/** The directions of a car on the screen: pixels to its front and to its right for each pixel of its shape. */
export type CarAxes = readonly [frontX: number, frontY: number, rightX: number, rightY: number]

export interface MarkerPlace {
  /** Pixels of the view. */
  readonly x: number
  readonly y: number
  /** Null for a dot. */
  readonly axes: CarAxes | null
}

/** Returns the axes of a car that is seen from above, by its direction in radians clockwise from the right. */
export const axesFromAbove = (direction: number | null): CarAxes | null =>
  direction === null
    ? null
    : [Math.cos(direction), Math.sin(direction), -Math.sin(direction), Math.cos(direction)]

/** Moves a mark of `CursorMarkers` to a place; hides it without one. */
export function placeMarker(marker: HTMLElement, place: MarkerPlace | null) {
  marker.hidden = place === null
  if (!place) return
  const { x, y, axes } = place
  marker.style.transform = `translate(${x}px, ${y}px)`
  marker.dataset.car = String(axes !== null)
  if (axes) marker.querySelector('svg')!.style.transform = `matrix(${axes.join(', ')}, 0, 0)`
}
