import type { components } from '@lapwing/contracts/gateway'

export type MapSources = components['schemas']['MapSources']
export type RasterSource = components['schemas']['RasterSource']
export type PhotoSource = MapSources['photo'][number]

export const NO_MAP_SOURCES: MapSources = { street: null, satellite: null, streetView: null, photo: [] }

/** Parses each source; one beyond the limits of the contract (`openapi/gateway.yaml`) is absent. */
export function parseMapSources(value: unknown): MapSources {
  const { street, satellite, streetView, photo } = fieldsOf(value)
  const { style } = fieldsOf(street)
  return {
    street: isAddress(style) ? { style } : parseRaster(street),
    satellite: parseRaster(satellite),
    streetView: isAddress(streetView) ? streetView : null,
    photo: Array.isArray(photo) ? photo.slice(0, 4).flatMap(source => parsePhoto(source) ?? []) : [],
  }
}

/** Null for a source that this page does not know: the gateway can be newer. */
function parsePhoto(value: unknown): PhotoSource | null {
  const { kind, key, token, assetId, url, attribution, terrain, logo } = fieldsOf(value)
  const ofGoogle = isAddress(logo) ? { logo } : {}
  if (kind === 'google' && isKey(key)) return { kind, key, ...ofGoogle }
  if (kind === 'ion' && isKey(token) && isBetween(1, assetId, Number.MAX_SAFE_INTEGER)) {
    return { kind, token, assetId, ...ofGoogle }
  }
  if (kind === 'tiles' && isAddress(url) && typeof attribution === 'string') return { kind, url, attribution }
  const heights = kind === 'terrain' ? parseRaster(terrain) : null
  return heights && { kind: 'terrain', terrain: heights }
}

function parseRaster(value: unknown): RasterSource | null {
  const { tiles, tileSize, maxZoom, attribution } = fieldsOf(value)
  const address = typeof tiles === 'string' && tiles.startsWith('/tiles/') ? ownAddress(tiles) : tiles
  return isAddress(address) &&
    address.match(/\{[xyz]\}/g)?.length === 3 &&
    isBetween(64, tileSize, 1024) &&
    isBetween(0, maxZoom, 24) &&
    typeof attribution === 'string'
    ? { tiles: address, tileSize, maxZoom, attribution }
    : null
}

/** Completes a path of the gateway, because the libraries of the views read the origin of each address. */
const ownAddress = (path: string) => globalThis.location.origin + path

const isAddress = (value: unknown): value is string =>
  isKey(value) && /^https?:/.test(value) && URL.canParse(value)

/** Whether the value is text of a usual length without spaces. */
const isKey = (value: unknown): value is string => typeof value === 'string' && /^\S{1,2000}$/.test(value)

const isBetween = (least: number, value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most

const fieldsOf = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>
