import type { Preview } from '@lapwing/telemetry'
import { readTokens, watchTokens } from '#shared/drawing/read-tokens.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { createStore } from '#shared/store/store.ts'
import { carRows } from '../cars/car-rows.ts'
import { axesFromAbove, placeMarker } from '../cars/place-marker.ts'
import { describeSlider } from '../cursor-slider.ts'
import type { CursorStore } from '../cursor-store.ts'
import { type DistanceViewStore, followNamedParts } from '../distance-view-store.ts'
import { followCursor } from '../follow-cursor.ts'
import { type ColourBy, colourLap } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { lapDistance } from '../lap-distance.ts'
import { keepsView, type LapSeries } from '../lap-series.ts'
import type { BaseSource } from './base-layers.ts'
import type { BaseState } from './base-watch.ts'
import {
  carOfReferenceRow,
  carOfRow,
  describeMap,
  type MapCar,
  type MapDrawing,
  mapDrawings,
  stretchBounds,
} from './map-drawing.ts'
import type { MapPlace } from './map-place.ts'
import { createMapRenderer, type MapRenderer } from './map-renderer.ts'

/** Decides what the map shows, and turns pointer events into the cursor. */
export type MapCoordinator = ReturnType<typeof createMapCoordinator>

export interface MapElements {
  /** An empty element, in which the map is created. */
  readonly container: HTMLElement
  /** Marks of the cursor above the map, placed by their middle. */
  readonly lapMarker: HTMLElement
  readonly referenceMarker: HTMLElement
}

export interface MapStatus {
  /** Why there is no map; null if there is one. */
  readonly problem: 'no-positions' | 'no-webgl' | null
  readonly base: BaseState
  /** Whether the graphics card has stopped drawing. */
  readonly isLost: boolean
  /** Metres between two lines of the grid. */
  readonly gridM: number
  /** The map in words. */
  readonly description: string
}

/** Before a lap is drawn. */
export const FIRST_STATUS: MapStatus = {
  problem: null,
  base: 'waiting',
  isLost: false,
  gridM: 0,
  description: '',
}

/** The tokens that colour the lap's line. */
const LAP_COLOURS = ['throttle', 'brake', 'gain', 'loss'] as const

export function createMapCoordinator(
  { container, lapMarker, referenceMarker }: MapElements,
  cursor: CursorStore,
  distanceView: DistanceViewStore,
) {
  const status = createStore(FIRST_STATUS)
  let renderer: MapRenderer | null = null
  let drawing: MapDrawing | null = null
  let main: LapSeries | null = null
  let comparison: LapComparison | null = null
  let base: BaseSource | null = null
  let colourBy: ColourBy = 'pedals'
  let metres: Float64Array = new Float64Array(0)
  let speedUnit: SpeedUnit = 'km/h'
  let prepared: { readonly preview: Preview; readonly prepare: ReturnType<typeof mapDrawings> } | null = null
  let tokens = readTokens()

  function placeMarkers() {
    if (!renderer || !drawing || !main) return
    const rows = carRows(cursor, main, comparison)
    put(lapMarker, carOfRow(drawing, main.lap, rows.lap), rows.isRacing)
    put(
      referenceMarker,
      comparison && carOfReferenceRow(drawing, comparison.reference, rows.reference),
      rows.isRacing,
    )
    lapMarker.dataset.locked = String(cursor.get().locked)
  }

  function put(marker: HTMLElement, car: MapCar | null, isRacing: boolean) {
    const axes = car && isRacing ? axesFromAbove(car.direction) : null
    placeMarker(marker, car && { ...renderer!.project(car), axes })
  }

  function drawCursor() {
    if (main && renderer) describeSlider(renderer.canvas, main, cursor.get().row, speedUnit, comparison)
    placeMarkers()
  }

  const rowAt = (place: MapPlace): number | null => {
    const row = drawing?.nearest(place) ?? -1
    return row < 0 ? null : row
  }

  function start(first: MapDrawing) {
    try {
      renderer = createMapRenderer(container, first, tokens, {
        onHover: place => cursor.hover(place && rowAt(place)),
        onClick: place => cursor.toggleLock(rowAt(place)),
        onMove: placeMarkers,
        onDrawn: () => performance.mark('lapwing:map-drawn'),
        onBase: state => status.patch({ base: state }),
        onContext: isLost => status.patch({ isLost }),
      })
    } catch {
      status.patch({ problem: 'no-webgl' })
      return
    }
    const { canvas } = renderer
    canvas.role = 'slider'
    canvas.ariaValueMin = '0'
    canvas.ariaValueMax = '100'
    renderer.showBase(base)
    parts.follow()
  }

  const parts = followNamedParts(distanceView, {
    focus(part) {
      if (!drawing || !main || !renderer) return false
      const bounds = stretchBounds(drawing, main, metres, part)
      if (bounds) renderer.focus(bounds)
      return bounds !== null
    },
    reset: () => renderer?.focus(null),
  })

  const prepare = (preview: Preview) => {
    if (prepared?.preview !== preview) prepared = { preview, prepare: mapDrawings(preview) }
    return prepared.prepare
  }
  let source: Preview | null = null

  function redraw(keeps: boolean) {
    if (!source || !main) return
    drawing = prepare(source)(main, comparison, colourLap(colourBy, main, comparison, tokens))
    status.patch({
      problem: drawing.bounds ? null : 'no-positions',
      gridM: drawing.grid.spacingM,
      description: describeMap(drawing, main),
    })
    if (!drawing.bounds) {
      renderer?.destroy()
      renderer = null
    } else if (renderer) renderer.setDrawing(drawing, keeps)
    else start(drawing)
    if (renderer) renderer.canvas.ariaLabel = `${main.name} on the map`
    drawCursor()
  }

  const retry = () => renderer?.retryBase()
  window.addEventListener('online', retry)
  const endings = [
    () => window.removeEventListener('online', retry),
    followCursor(cursor, drawCursor),
    parts.stop,
    watchTokens(next => {
      const isRepainted = LAP_COLOURS.some(name => next[name] !== tokens[name])
      tokens = next
      if (isRepainted) redraw(true)
      renderer?.setColours(next)
    }),
  ]

  return {
    status,
    /** Replaces the lap. Fits the view again, except between complete laps of one file. */
    setLap(preview: Preview, next: LapSeries, nextComparison: LapComparison | null) {
      const keeps = keepsView(main, next)
      source = preview
      main = next
      comparison = nextComparison
      metres = lapDistance(next.preview, next.lap).metres
      redraw(keeps)
    },
    /** Shows a base below the lap, or only our own ground. */
    setBase(next: BaseSource | null) {
      base = next
      renderer?.showBase(next)
    },
    /** Sets what the colour of the lap's line shows. */
    setColourBy(by: ColourBy) {
      if (colourBy === by) return
      colourBy = by
      redraw(true)
    },
    setSpeedUnit(unit: SpeedUnit) {
      speedUnit = unit
      drawCursor()
    },
    zoomBy: (levels: number) => renderer?.zoomBy(levels),
    resetView: () => renderer?.focus(null),
    /** Returns the place of the cursor; without one, the middle of the map. Null without a map. */
    place(): MapPlace | null {
      if (!renderer || !drawing || !main) return null
      return carOfRow(drawing, main.lap, cursor.get().row) ?? renderer.centre()
    },
    destroy() {
      for (const end of endings) end()
      renderer?.destroy()
    },
  }
}
