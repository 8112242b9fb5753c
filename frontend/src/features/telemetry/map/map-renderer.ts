import 'maplibre-gl/dist/maplibre-gl.css'
import './lap-map.css'
import { type Bounds, constrainView, fitView, MAX_MERCATOR_LAT } from '@lapwing/lap-map'
import { AttributionControl, type GeoJSONSource, LngLat, Map as MapLibre, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import type { BaseState } from './base-watch.ts'
import { followFinger } from './follow-finger.ts'
import { createMapBases } from './map-bases.ts'
import type { MapDrawing } from './map-drawing.ts'
import type { MapPlace } from './map-place.ts'
import { mapData, mapLayers, mapStyle } from './map-style.ts'

setWorkerUrl(workerUrl)

/** Draws a lap on a flat map. This is the only file that runs MapLibre. */
export type MapRenderer = ReturnType<typeof createMapRenderer>

export interface MapRendererEvents {
  /** The pointer is on a place; null after it has left the map. Not called while the map is dragged. */
  readonly onHover: (place: MapPlace | null) => void
  readonly onClick: (place: MapPlace) => void
  /** The view moved in this frame. */
  readonly onMove: () => void
  /** The lap is drawn: after the start, and after each new lap. */
  readonly onDrawn: () => void
  readonly onBase: (state: BaseState) => void
  /** The graphics card stopped drawing, or draws again. */
  readonly onContext: (isLost: boolean) => void
}

const MAX_ZOOM = 21

/**
 * Starts a map in an empty element, with the lap in it and only our ground below. The drawing must have
 * bounds. Throws if the browser has no WebGL 2.
 */
export function createMapRenderer(
  container: HTMLElement,
  drawing: MapDrawing,
  tokens: DrawingTokens,
  events: MapRendererEvents,
) {
  let bounds = drawing.bounds!
  let current = drawing
  /** What the view is fitted to; null after the driver has moved it. */
  let target: Bounds | null = bounds
  const size = () => ({ width: container.clientWidth, height: container.clientHeight })
  const fitted = (to: Bounds) => {
    const { lat, lon, zoom } = fitView(to, size())
    return { center: new LngLat(lon, lat), zoom: Math.min(zoom, MAX_ZOOM) }
  }

  const map = new MapLibre({
    container,
    style: mapStyle(drawing, tokens),
    ...fitted(bounds),
    maxZoom: MAX_ZOOM,
    maxPitch: 0,
    attributionControl: false,
    cooperativeGestures: true,
    scrollZoom: false,
    boxZoom: false,
    dragRotate: false,
    touchPitch: false,
    doubleClickZoom: false,
    keyboard: false,
    fadeDuration: 0,
    // Providers restrict keys by the origin of the page, and some refuse requests without it.
    transformRequest: url => ({ url, referrerPolicy: 'origin' }),
    transformConstrain(center, zoom) {
      const { width, height } = size()
      if (width === 0 || height === 0) return { center, zoom }
      const kept = constrainView({ lat: center.lat, lon: center.lng, zoom }, bounds, { width, height })
      return { center: new LngLat(kept.lon, kept.lat), zoom: Math.min(kept.zoom, MAX_ZOOM) }
    },
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new AttributionControl({ compact: false }), 'bottom-left')

  // The map accepts layers from its start on, except while its graphics card is away.
  let isReady = false
  const waiting: (() => void)[] = []
  const whenReady = (work: () => void) => {
    if (isReady) work()
    else waiting.push(work)
  }
  map.on('style.load', () => {
    isReady = true
    for (const work of waiting.splice(0)) work()
  })
  map.on('webglcontextlost', () => {
    isReady = false
    events.onContext(true)
  })
  map.on('webglcontextrestored', () => {
    isDrawnDue = true
    events.onContext(false)
  })

  map.on('mousemove', ({ lngLat, originalEvent }) => {
    if (originalEvent.buttons === 0) events.onHover({ lat: lngLat.lat, lon: lngLat.lng })
  })
  map.on('mouseout', () => events.onHover(null))
  const leaveFinger = followFinger(container, ({ x, y }) => {
    const { lat, lng } = map.unproject([x, y])
    events.onHover({ lat, lon: lng })
  })
  map.on('click', ({ lngLat }) => events.onClick({ lat: lngLat.lat, lon: lngLat.lng }))
  map.on('dblclick', () => fit(bounds))
  map.on('move', events.onMove)
  map.on('movestart', ({ originalEvent }) => {
    if (originalEvent) target = null
  })
  map.on('resize', () => {
    if (target) map.jumpTo(fitted(target))
    events.onMove()
  })

  // MapLibre's own `load` waits for the base, which may never come.
  let isDrawnDue = true
  map.on('render', () => {
    if (!isDrawnDue || !isReady || !map.isSourceLoaded('lap') || !map.isSourceLoaded('driven')) return
    isDrawnDue = false
    events.onDrawn()
  })

  function fit(to: Bounds) {
    target = to
    map.jumpTo(fitted(to))
  }

  const bases = createMapBases(map, whenReady, events.onBase)

  return {
    canvas: map.getCanvas(),
    /** Replaces the lap. Fits the view to it, or keeps the view. */
    setDrawing(next: MapDrawing, keepsView: boolean) {
      current = next
      bounds = next.bounds!
      whenReady(() => {
        isDrawnDue = true
        for (const [id, data] of Object.entries(mapData(next)))
          map.getSource<GeoJSONSource>(id)!.setData(data)
      })
      if (!keepsView) fit(bounds)
    },
    /** Follows the theme and the palette. */
    setColours(next: DrawingTokens) {
      whenReady(() => {
        for (const { id, paint = {}, layout = {}, ...rest } of mapLayers(current, next)) {
          for (const [name, value] of Object.entries(paint))
            map.setPaintProperty(id, name as never, value as never)
          for (const [name, value] of Object.entries(layout))
            map.setLayoutProperty(id, name as never, value as never)
          if ('filter' in rest && rest.filter) map.setFilter(id, rest.filter)
        }
      })
    },
    /** Shows a part of the lap, or the whole lap without one. */
    focus: (part: Bounds | null) => fit(part ?? bounds),
    /** Zooms by levels around the middle. */
    zoomBy(levels: number) {
      target = null
      map.jumpTo({ zoom: map.getZoom() + levels })
    },
    /** Returns the place in pixels of the container. */
    project({ lat, lon }: MapPlace): { readonly x: number; readonly y: number } {
      // A lap on the 180th meridian has longitudes beyond it, but the middle of the map does not.
      const turns = Math.round((map.getCenter().lng - lon) / 360)
      // A lap at a pole is drawn at the edge of the map.
      const shownLat = Math.min(MAX_MERCATOR_LAT, Math.max(-MAX_MERCATOR_LAT, lat))
      return map.project([lon + 360 * turns, shownLat])
    },
    /** Returns the place in the middle. */
    centre(): MapPlace {
      const { lat, lng } = map.getCenter().wrap()
      return { lat, lon: lng }
    },
    showBase: bases.show,
    retryBase: bases.retry,
    destroy() {
      leaveFinger()
      bases.destroy()
      map.remove()
    },
  }
}
