import { type Bounds, widenBounds } from './bounds.ts'
import { fittedPixels } from './fit.ts'
import { latOfMercatorY, lonOfMercatorX, mercatorX, mercatorY } from './mercator.ts'

/** What a flat map shows: the place in its middle, and its zoom. Zoom 0 shows the Earth on 512 pixels. */
export interface FlatView {
  readonly lat: number
  readonly lon: number
  readonly zoom: number
}

/** Pixels. */
export interface ViewSize {
  readonly width: number
  readonly height: number
}

/** Shares of the bounds' size by which the view, and its middle, may leave the bounds (spec 001, 5). */
const VIEW_MARGIN = 0.04
const CENTRE_MARGIN = 0.02

/** Zoom levels below the fitted one. */
const ZOOM_OUT = 1

/** Pixels of the Earth at zoom 0. */
const WORLD_PX = 512

/** Returns the view that shows the whole of the bounds with `FIT_PADDING` around them. */
export function fitView(bounds: Bounds, { width, height }: ViewSize): FlatView {
  const { middleX, middleY, halfX, halfY } = mercatorBox(bounds)
  return {
    lat: latOfMercatorY(middleY),
    lon: lonOfMercatorX(middleX),
    zoom: Math.log2(Math.min(fittedPixels(width) / halfX, fittedPixels(height) / halfY) / (2 * WORLD_PX)),
  }
}

/**
 * Keeps a view at the bounds. The zoom is at least the fitted one less 1. A view that is smaller than the
 * bounds stays inside them, and a larger one shows all of them: both plus a margin of 4 %. Its middle stays
 * inside the bounds plus 2 %. A view that is whole turns away from the bounds stays so.
 */
export function constrainView(view: FlatView, bounds: Bounds, size: ViewSize): FlatView {
  const zoom = Math.max(view.zoom, fitView(bounds, size).zoom - ZOOM_OUT)
  const outer = mercatorBox(widenBounds(bounds, VIEW_MARGIN))
  const inner = mercatorBox(widenBounds(bounds, CENTRE_MARGIN))
  const pixel = 1 / (WORLD_PX * 2 ** zoom)
  const near = (value: number, middle: number, reach: number) =>
    Math.min(middle + reach, Math.max(middle - reach, value))
  const reachX = Math.min(Math.abs(outer.halfX - (size.width / 2) * pixel), inner.halfX)
  const reachY = Math.min(Math.abs(outer.halfY - (size.height / 2) * pixel), inner.halfY)
  const x = mercatorX(view.lon)
  const turns = Math.round(outer.middleX - x)
  return {
    lat: latOfMercatorY(near(mercatorY(view.lat), outer.middleY, reachY)),
    lon: lonOfMercatorX(near(x + turns, outer.middleX, reachX) - turns),
    zoom,
  }
}

function mercatorBox({ north, south, east, west }: Bounds) {
  const [left, right] = [mercatorX(west), mercatorX(east)]
  const [top, bottom] = [mercatorY(north), mercatorY(south)]
  return {
    middleX: (left + right) / 2,
    middleY: (top + bottom) / 2,
    halfX: (right - left) / 2,
    halfY: (bottom - top) / 2,
  }
}
