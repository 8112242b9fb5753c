import type { components } from '@lapwing/contracts/gateway'

export type MapSources = components['schemas']['MapSources']
export type RasterSource = components['schemas']['RasterSource']
export type PhotoSource = MapSources['photo'][number]

export const NO_MAP_SOURCES: MapSources = { street: null, satellite: null, streetView: null, photo: [] }

/** Parses each source; one with the wrong type is absent. */
export function parseMapSources(value: unknown): MapSources {
  const { street, satellite, streetView, photo } = fieldsOf(value)
  const { style } = fieldsOf(street)
  return {
    street: typeof style === 'string' ? { style } : parseRaster(street),
    satellite: parseRaster(satellite),
    streetView: typeof streetView === 'string' ? streetView : null,
    photo: Array.isArray(photo) ? photo.flatMap(source => parsePhoto(source) ?? []) : [],
  }
}

/** Null for a source that this page does not know: the gateway can be newer. */
function parsePhoto(value: unknown): PhotoSource | null {
  const { kind, key, token, assetId, url, attribution, terrain, logo } = fieldsOf(value)
  const ofGoogle = typeof logo === 'string' ? { logo } : {}
  if (kind === 'google' && typeof key === 'string') return { kind, key, ...ofGoogle }
  if (kind === 'ion' && typeof token === 'string' && typeof assetId === 'number') {
    return { kind, token, assetId, ...ofGoogle }
  }
  if (kind === 'tiles' && typeof url === 'string' && typeof attribution === 'string') {
    return { kind, url, attribution }
  }
  const heights = kind === 'terrain' ? parseRaster(terrain) : null
  return heights && { kind: 'terrain', terrain: heights }
}

function parseRaster(value: unknown): RasterSource | null {
  const { tiles, tileSize, maxZoom, attribution } = fieldsOf(value)
  return typeof tiles === 'string' &&
    typeof tileSize === 'number' &&
    typeof maxZoom === 'number' &&
    typeof attribution === 'string'
    ? { tiles: absolute(tiles), tileSize, maxZoom, attribution }
    : null
}

/** Completes a path of the gateway, because the libraries of the views read the origin of each address. */
function absolute(tiles: string): string {
  return tiles.startsWith('/') ? globalThis.location.origin + tiles : tiles
}

const fieldsOf = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>
