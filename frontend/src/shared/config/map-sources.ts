import type { components } from '@lapwing/contracts/gateway'

export type MapSources = components['schemas']['MapSources']
export type RasterSource = components['schemas']['RasterSource']

export const NO_MAP_SOURCES: MapSources = { street: null, satellite: null, streetView: null }

/** Parses each source; one with the wrong type is absent. */
export function parseMapSources(value: unknown): MapSources {
  const { street, satellite, streetView } = fieldsOf(value)
  const { style } = fieldsOf(street)
  return {
    street: typeof style === 'string' ? { style } : parseRaster(street),
    satellite: parseRaster(satellite),
    streetView: typeof streetView === 'string' ? streetView : null,
  }
}

function parseRaster(value: unknown): RasterSource | null {
  const { tiles, tileSize, maxZoom, attribution } = fieldsOf(value)
  return typeof tiles === 'string' &&
    typeof tileSize === 'number' &&
    typeof maxZoom === 'number' &&
    typeof attribution === 'string'
    ? { tiles, tileSize, maxZoom, attribution }
    : null
}

const fieldsOf = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>
