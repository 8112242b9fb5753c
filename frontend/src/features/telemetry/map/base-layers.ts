import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { readText } from '#shared/api/read-text.ts'
import type { MapSources, RasterSource } from '#shared/config/map-sources.ts'

/** A map below the lap: streets or satellite pictures. */
export type BaseSource = NonNullable<MapSources['street']>

/** What a base adds to the map, under names that do not meet our own. */
export interface BaseLayers {
  readonly sources: readonly (readonly [string, SourceSpecification])[]
  readonly layers: readonly LayerSpecification[]
  /** Addresses; null without them. */
  readonly glyphs: string | null
  readonly sprite: string | null
}

/** Milliseconds for the style of a street map, and its bytes at most: large ones have some hundred kilobytes. */
const STYLE_TIMEOUT_MS = 8000
const MAX_STYLE_BYTES = 4 * 1024 * 1024

/** Returns the layers of a base. Rejects if its style does not arrive, or is no style. */
export async function loadBase(base: BaseSource, signal: AbortSignal): Promise<BaseLayers> {
  if (!('style' in base)) return rasterLayers(base)
  const response = await fetch(base.style, {
    credentials: 'omit',
    referrerPolicy: 'origin',
    signal: AbortSignal.any([signal, AbortSignal.timeout(STYLE_TIMEOUT_MS)]),
  })
  if (!response.ok) throw new Error(`The style of the map answered ${response.status}.`)
  return styleLayers(JSON.parse(await readText(response, MAX_STYLE_BYTES)))
}

const PREFIX = 'base/'

/** Takes a style apart. Throws a `TypeError` if `value` is no style of MapLibre. */
export function styleLayers(value: unknown): BaseLayers {
  const { version, sources, layers, glyphs, sprite } = (value ?? {}) as Partial<StyleSpecification>
  if (version !== 8 || typeof sources !== 'object' || !Array.isArray(layers)) {
    throw new TypeError('The address of the street map has no style of MapLibre.')
  }
  return {
    sources: Object.entries(sources).map(([id, source]) => [PREFIX + id, source]),
    layers: layers.map(layer => ({
      ...layer,
      id: PREFIX + layer.id,
      ...('source' in layer && { source: PREFIX + layer.source }),
    })) as LayerSpecification[],
    glyphs: typeof glyphs === 'string' ? glyphs : null,
    sprite: typeof sprite === 'string' ? sprite : null,
  }
}

function rasterLayers({ tiles, tileSize, maxZoom, attribution }: RasterSource): BaseLayers {
  const id = PREFIX + tiles
  return {
    sources: [[id, { type: 'raster', tiles: [tiles], tileSize, maxzoom: maxZoom, attribution }]],
    layers: [{ id, type: 'raster', source: id, paint: { 'raster-fade-duration': 0 } }],
    glyphs: null,
    sprite: null,
  }
}
