import type { OutlineTransform } from './outline-geometry.ts'

/** How far the outline is zoomed and moved from its fitted place; immutable. */
export interface OutlineView {
  /** 1 is the fitted lap. */
  readonly zoom: number
  /** Pixels the lap's middle is moved from the canvas's middle. */
  readonly panX: number
  readonly panY: number
}

export const MIN_ZOOM = 0.6
export const MAX_ZOOM = 4
/** One press of a zoom button. */
export const ZOOM_STEP = 1.25

export const FITTED_VIEW: OutlineView = { zoom: 1, panX: 0, panY: 0 }

/** Zooms by `factor` around a point of the canvas, so that what lies under the pointer stays there. */
export function zoomOutline(
  view: OutlineView,
  factor: number,
  fit: OutlineTransform,
  pointX: number,
  pointY: number,
): OutlineView {
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, view.zoom * factor))
  const ratio = zoom / view.zoom
  return {
    zoom,
    panX: (pointX - fit.middleX) * (1 - ratio) + view.panX * ratio,
    panY: (pointY - fit.middleY) * (1 - ratio) + view.panY * ratio,
  }
}

/** Moves by pixels, and keeps the lap's middle within half its drawn size plus half the canvas: never lost. */
export function panOutline(
  view: OutlineView,
  byX: number,
  byY: number,
  extent: { readonly halfWidthPx: number; readonly halfHeightPx: number },
): OutlineView {
  const limitX = Math.max(40, extent.halfWidthPx * view.zoom)
  const limitY = Math.max(40, extent.halfHeightPx * view.zoom)
  return {
    zoom: view.zoom,
    panX: Math.min(limitX, Math.max(-limitX, view.panX + byX)),
    panY: Math.min(limitY, Math.max(-limitY, view.panY + byY)),
  }
}

/** Metres of the outline's plane. */
export interface OutlineBox {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
}

/** A focused box takes this share of the canvas at most, so that the way there and on is seen as well. */
const FOCUS_SHARE = 0.75

/** The view that has a box in its middle, as large as it fits and as zooms go. */
export function focusOutline(
  { minX, maxX, minY, maxY }: OutlineBox,
  fit: OutlineTransform,
  width: number,
  height: number,
): OutlineView {
  const fitting = Math.min(
    (FOCUS_SHARE * width) / ((maxX - minX) * fit.scale),
    (FOCUS_SHARE * height) / ((maxY - minY) * fit.scale),
  )
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, fitting))
  const scale = fit.scale * zoom
  return {
    zoom,
    panX: (-scale * (minX + maxX)) / 2,
    panY: (-scale * (minY + maxY)) / 2,
  }
}

/** The fitted transform as the view shows it. */
export function viewedTransform(fit: OutlineTransform, view: OutlineView): OutlineTransform {
  return {
    scale: fit.scale * view.zoom,
    middleX: fit.middleX + view.panX,
    middleY: fit.middleY + view.panY,
  }
}

/** "1.0×" */
export function formatZoom(zoom: number): string {
  return `${zoom.toFixed(1)}×`
}
