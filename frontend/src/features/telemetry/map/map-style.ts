import type { LapLine } from '@lapwing/lap-map'
import type {
  ExpressionSpecification,
  GeoJSONSourceSpecification,
  LayerSpecification,
  StyleSpecification,
} from 'maplibre-gl'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import type { MapDrawing } from './map-drawing.ts'

/** Pixels (spec 001, 9). The casing shows a white line on a bright map. */
const LINE_WIDTH = 3
const CASING_WIDTH = 6
const CASING = 'rgb(0 0 0 / 60%)'

/** The track is drawn this wide around each lap, and never narrower than the pixels. */
const TRACK_WIDTH_M = 10
const MIN_TRACK_PX = 12

/** Dashes of the reference in the colour-blind palette, in widths of its line. */
const REFERENCE_DASH = [2, 1]

/** MapLibre simplifies lines further, by a share of a pixel. Its default shows bends as polygons. */
const SIMPLIFY = 0.1

/** Metres of a pixel at the equator and zoom 0. */
const EQUATOR_M_PER_PX = 40_075_016.686 / 512

/** The first layer of ours. Layers of maps go below it. */
export const FIRST_LAYER = 'ground'

/** Layers that replace a map: they cover it until its first picture arrives. */
export const GROUND_LAYERS = [FIRST_LAYER, 'grid', 'track-edge', 'track'] as const

/** Returns the sources of a drawing by their names. */
export function mapData(drawing: MapDrawing) {
  return {
    grid: straightLines(drawing.grid.lines),
    track: wholeLines(drawing.track),
    reference: wholeLines(drawing.reference),
    driven: wholeLines(drawing.driven),
    lap: lineCollection(
      drawing.lap.map(path => ({
        coordinates: coordinatesOf(path),
        properties: { color: path.color, state: path.state },
      })),
    ),
    connectors: straightLines(drawing.connectors),
  } satisfies Record<string, MapLines>
}

/** Returns the style with the lap in it, so that the lap never waits for a map. */
export function mapStyle(drawing: MapDrawing, tokens: DrawingTokens): StyleSpecification {
  const sources = Object.entries(mapData(drawing)).map(
    ([id, data]) => [id, { type: 'geojson', data, maxzoom: 20, tolerance: SIMPLIFY }] as const,
  )
  return { version: 8, sources: Object.fromEntries(sources), layers: mapLayers(drawing, tokens) }
}

/** Returns our layers from the lowest to the highest. */
export function mapLayers({ bounds }: MapDrawing, tokens: DrawingTokens): LayerSpecification[] {
  const middleLat = bounds ? (bounds.north + bounds.south) / 2 : 0
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  const line = (id: string, source: string, paint: Record<string, unknown>) =>
    ({ id, type: 'line', source, layout: round, paint }) as LayerSpecification
  const dash = tokens.isColourBlind ? { 'line-dasharray': REFERENCE_DASH } : {}
  return [
    { id: FIRST_LAYER, type: 'background', paint: { 'background-color': tokens.card } },
    line('grid', 'grid', { 'line-color': tokens.line, 'line-width': 1 }),
    line('track-edge', 'track', { 'line-color': tokens.line, 'line-width': trackWidth(middleLat, 2) }),
    line('track', 'track', { 'line-color': tokens.raised, 'line-width': trackWidth(middleLat, 0) }),
    line('reference-casing', 'reference', { 'line-color': CASING, 'line-width': CASING_WIDTH }),
    // Below the reference: two laps are often closer than the casing is wide.
    line('lap-casing', 'driven', {
      'line-color': CASING,
      'line-width': tokens.isColourBlind ? CASING_WIDTH + 2 : CASING_WIDTH,
    }),
    {
      ...line('reference', 'reference', {
        'line-color': tokens.reference,
        'line-width': LINE_WIDTH,
        ...dash,
      }),
      // Round ends would close the gaps of the dashes.
      layout: { 'line-cap': tokens.isColourBlind ? 'butt' : 'round', 'line-join': 'round' },
    } as LayerSpecification,
    line('connector-casing', 'connectors', { 'line-color': CASING, 'line-width': 4 }),
    line('connectors', 'connectors', { 'line-color': '#ffffff', 'line-width': 1.5 }),
    line('lap', 'lap', { 'line-color': ['get', 'color'], 'line-width': lapWidth(tokens) }),
    // Without colours, braking is a double line.
    {
      ...line('brake-middle', 'lap', { 'line-color': '#000000', 'line-width': 2 }),
      filter: ['==', ['get', 'state'], tokens.isColourBlind ? 'brake' : 'none'],
    } as LayerSpecification,
  ]
}

/** Without colours, coasting is a thin line and braking a wide one. */
function lapWidth({ isColourBlind }: DrawingTokens): number | ExpressionSpecification {
  if (!isColourBlind) return LINE_WIDTH
  return ['match', ['get', 'state'], 'brake', LINE_WIDTH + 3, 'coast', LINE_WIDTH / 2, LINE_WIDTH]
}

/** Returns the width of the track in pixels, which doubles with each zoom level. */
function trackWidth(lat: number, morePx: number): ExpressionSpecification {
  const pixelM = EQUATOR_M_PER_PX * Math.cos((lat * Math.PI) / 180)
  const narrowest = Math.log2((MIN_TRACK_PX * pixelM) / TRACK_WIDTH_M)
  return [
    'interpolate',
    ['exponential', 2],
    ['zoom'],
    narrowest,
    MIN_TRACK_PX + morePx,
    narrowest + 10,
    MIN_TRACK_PX * 2 ** 10 + morePx,
  ]
}

const coordinatesOf = ({ lon, lat }: LapLine) => Array.from(lon, (value, i) => [value, lat[i]!])

const wholeLines = (lines: readonly LapLine[]) =>
  lineCollection(lines.map(line => ({ coordinates: coordinatesOf(line) })))

const straightLines = (lines: MapDrawing['connectors']) =>
  lineCollection(lines.map(line => ({ coordinates: line.map(([lon, lat]) => [lon, lat]) })))

type MapLines = Exclude<GeoJSONSourceSpecification['data'], string>

interface Line {
  readonly coordinates: number[][]
  readonly properties?: Readonly<Record<string, string>>
}

function lineCollection(lines: readonly Line[]): MapLines {
  return {
    type: 'FeatureCollection',
    features: lines.map(({ coordinates, properties = {} }) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'LineString', coordinates },
    })),
  }
}
