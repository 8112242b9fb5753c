import { fittedPixels } from '@lapwing/lap-map/fit'
import type { OutlineBox } from './outline-box.ts'
import type { OutlineTransform } from './outline-geometry.ts'

/** The part of the lap that fills the canvas at a zoom of 1. */
export interface OutlineFit {
  /** Pixels per metre. */
  readonly scale: number
  /** The middle of the part in metres, as in the geometry. */
  readonly x: number
  readonly y: number
}

/** What the outline shows; immutable. */
export interface OutlineView {
  /** 1 is the fitted part. */
  readonly zoom: number
  /** The point in the middle of the canvas, in metres. */
  readonly x: number
  readonly y: number
}

export const MIN_ZOOM = 0.6
export const MAX_ZOOM = 4
/** The factor of one press of a zoom button. */
export const ZOOM_STEP = 1.25

/** Metres of a part that fill the canvas at most. */
const LEAST_EXTENT_M = 30

/** Fits a box into a canvas, north up, with `FIT_PADDING` around it. */
export function fitOutline(
  { minX, maxX, minY, maxY }: OutlineBox,
  width: number,
  height: number,
  leastExtentM = LEAST_EXTENT_M,
): OutlineFit {
  const scale = Math.min(
    fittedPixels(width) / Math.max(leastExtentM, maxX - minX),
    fittedPixels(height) / Math.max(leastExtentM, maxY - minY),
  )
  return { scale, x: (minX + maxX) / 2, y: (minY + maxY) / 2 }
}

/** Returns the view that shows the fitted part. */
export const fittedView = ({ x, y }: OutlineFit): OutlineView => ({ zoom: 1, x, y })

/** Zooms by `factor` around a point that stays in place: pixels from the middle of the canvas. */
export function zoomOutline(
  view: OutlineView,
  factor: number,
  fit: OutlineFit,
  pointX: number,
  pointY: number,
): OutlineView {
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, view.zoom * factor))
  const shift = 1 / (fit.scale * view.zoom) - 1 / (fit.scale * zoom)
  return { zoom, x: view.x + pointX * shift, y: view.y + pointY * shift }
}

/** Pixels that a lap without extent can be moved. */
const LEAST_PAN = 40

/** Moves by pixels. Keeps the middle of the canvas within the lap's extent. */
export function panOutline(
  { zoom, x, y }: OutlineView,
  byX: number,
  byY: number,
  fit: OutlineFit,
  { halfWidth, halfHeight }: { readonly halfWidth: number; readonly halfHeight: number },
): OutlineView {
  const scale = fit.scale * zoom
  const within = (value: number, half: number) => {
    const limit = Math.max(LEAST_PAN / scale, half)
    return Math.min(limit, Math.max(-limit, value))
  }
  return { zoom, x: within(x - byX / scale, halfWidth), y: within(y - byY / scale, halfHeight) }
}

/** Returns the transform of a view in a canvas of this size. */
export function viewedTransform(
  fit: OutlineFit,
  view: OutlineView,
  width: number,
  height: number,
): OutlineTransform {
  const scale = fit.scale * view.zoom
  return { scale, middleX: width / 2 - view.x * scale, middleY: height / 2 - view.y * scale }
}

/** Formats a zoom: "1.0×". */
export function formatZoom(zoom: number): string {
  return `${zoom.toFixed(1)}×`
}
