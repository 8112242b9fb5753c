import { ConfigError, integer, optional, text, type Variable } from '@lapwing/config'
import type { components } from '@lapwing/contracts/gateway'

/** Where the page gets the pictures of its 2D view (`openapi/gateway.yaml`). */
export type MapSources = components['schemas']['MapSources']

const OPEN_FREE_MAP = 'https://tiles.openfreemap.org/styles/liberty'

export const mapEnv = {
  mapStreet: address('MAP_STREET', {
    about:
      'Street map: the address of a vector style, or of raster tiles with {z}, {x} and {y}; none for no street map.',
    example: OPEN_FREE_MAP,
    fallback: OPEN_FREE_MAP,
    placeholders: ['z', 'x', 'y'],
    isPlain: true,
  }),
  ...rasterEnv('MAP_STREET', 'mapStreet'),
  mapSatellite: optional(
    address('MAP_SATELLITE', {
      about: 'Satellite pictures: the address of raster tiles with {z}, {x} and {y}.',
      example: 'https://tiles.example/{z}/{x}/{y}.jpg?key=abc',
      placeholders: ['z', 'x', 'y'],
    }),
  ),
  ...rasterEnv('MAP_SATELLITE', 'mapSatellite'),
  mapStreetView: optional(
    address('MAP_STREET_VIEW', {
      about: 'Page of a map service that shows the street at {lat} and {lon}.',
      example: 'https://maps.example/?at={lat},{lon}',
      placeholders: ['lat', 'lon'],
    }),
  ),
}

/** The values of `mapEnv`. */
export interface MapVariables {
  readonly mapStreet: string
  readonly mapStreetTileSize: number
  readonly mapStreetMaxZoom: number
  readonly mapStreetAttribution: string | null
  readonly mapSatellite: string | null
  readonly mapSatelliteTileSize: number
  readonly mapSatelliteMaxZoom: number
  readonly mapSatelliteAttribution: string | null
  readonly mapStreetView: string | null
}

/**
 * Returns the sources that the variables name. Throws a `ConfigError` if raster tiles have no attribution, or
 * if `env` has a variable of a source that does not exist.
 */
export function readMapSources(
  values: MapVariables,
  env: Readonly<Record<string, string | undefined>>,
): MapSources {
  const { mapStreet, mapSatellite } = values
  const isRaster = mapStreet.includes('{z}')
  const known = new Set(Object.values(mapEnv).map(({ name }) => name))
  const problems = [
    ...Object.keys(env)
      .filter(name => name.startsWith('MAP_') && !known.has(name))
      .map(name => `${name} is not known: the sources of maps are ${[...known].join(', ')}.`),
    ...(isRaster && values.mapStreetAttribution === null ? [missing('MAP_STREET')] : []),
    ...(mapSatellite !== null && values.mapSatelliteAttribution === null ? [missing('MAP_SATELLITE')] : []),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  const street = {
    tiles: mapStreet,
    tileSize: values.mapStreetTileSize,
    maxZoom: values.mapStreetMaxZoom,
    attribution: values.mapStreetAttribution!,
  }
  const satellite = mapSatellite !== null && {
    tiles: mapSatellite,
    tileSize: values.mapSatelliteTileSize,
    maxZoom: values.mapSatelliteMaxZoom,
    attribution: values.mapSatelliteAttribution!,
  }
  return {
    street: mapStreet === 'none' ? null : isRaster ? street : { style: mapStreet },
    satellite: satellite || null,
    streetView: values.mapStreetView,
  }
}

/** The sources of a page without maps. */
export const NO_MAP_SOURCES: MapSources = { street: null, satellite: null, streetView: null }

/** Returns the origins that the page fetches pictures from. It only links to the page of `streetView`. */
export function mapOrigins({ street, satellite }: MapSources): string[] {
  const addresses = [street && ('style' in street ? street.style : street.tiles), satellite?.tiles]
  return [...new Set(addresses.flatMap(address => (address ? [new URL(address).origin] : [])))]
}

const missing = (name: string) =>
  `${name}_ATTRIBUTION is missing: the terms of tiles ask for a credit on the map. For example: © OpenStreetMap contributors`

/** Variables of raster tiles, beside their address. */
function rasterEnv<Key extends 'mapStreet' | 'mapSatellite'>(prefix: string, key: Key) {
  return {
    [`${key}TileSize`]: integer(`${prefix}_TILE_SIZE`, {
      min: 64,
      max: 1024,
      about: 'Pixels of one raster tile.',
      fallback: 256,
    }),
    [`${key}MaxZoom`]: integer(`${prefix}_MAX_ZOOM`, {
      min: 0,
      max: 24,
      about: 'Highest zoom of the raster tiles.',
      fallback: 19,
    }),
    [`${key}Attribution`]: optional(
      text(`${prefix}_ATTRIBUTION`, {
        about: 'Credit that the map shows for the raster tiles: text, or HTML with a link.',
        example: '© OpenStreetMap contributors',
      }),
    ),
  } as Record<`${Key}TileSize` | `${Key}MaxZoom`, Variable<number>> &
    Record<`${Key}Attribution`, Variable<string | null>>
}

/**
 * An address with placeholders. It has all of `placeholders`, or none if it can also be plain; `none` is
 * allowed then, too.
 */
function address(
  name: string,
  options: {
    readonly about: string
    readonly example: string
    readonly fallback?: string
    readonly placeholders: readonly string[]
    readonly isPlain?: true
  },
): Variable<string> {
  const { about, example, fallback, placeholders, isPlain = false } = options
  return {
    name,
    about,
    example,
    ...(fallback !== undefined && { fallback: { value: fallback } }),
    parse(value) {
      if (isPlain && value === 'none') return { value }
      // A key that was pasted with spaces is refused by its provider, and the driver would see an empty map.
      if (/\s/.test(value)) return { problem: 'must not contain spaces' }
      const parsed = URL.canParse(value) ? new URL(value) : null
      if (parsed === null || !/^https?:$/.test(parsed.protocol) || /[{}%]/.test(parsed.host)) {
        return { problem: 'must be an address that begins with http:// or https://' }
      }
      if (parsed.username !== '' || parsed.password !== '') return { problem: 'must not contain a password' }
      const found = [...value.matchAll(/\{([^{}]*)\}/g)].map(([, inner]) => inner!)
      if (isPlain && found.length === 0) return { value }
      if (found.length === placeholders.length && placeholders.every(its => found.includes(its))) {
        return { value }
      }
      const wanted = placeholders.map(its => `{${its}}`).join(', ')
      return { problem: `must contain ${wanted}, each once, and no other placeholder` }
    },
  }
}
