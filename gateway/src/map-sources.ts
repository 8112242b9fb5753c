import { ConfigError, integer, optional, text, type Variable } from '@lapwing/config'
import type { components } from '@lapwing/contracts/gateway'

/** Where the page gets the pictures of its 2D and 3D views (`openapi/gateway.yaml`). */
export type MapSources = components['schemas']['MapSources']

const OPEN_FREE_MAP = 'https://tiles.openfreemap.org/styles/liberty'

/** Google's Photorealistic 3D Tiles at Cesium ion. */
const GOOGLE_ASSET = 2_275_207

type PhotoKind = MapSources['photo'][number]['kind']

const PHOTO_KINDS: readonly PhotoKind[] = ['google', 'ion', 'tiles', 'terrain']

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
  map3dOrder: {
    name: 'MAP_3D_ORDER',
    about: 'Order in which the 3D view tries its sources; a source that is not named is not used.',
    example: 'google,ion,tiles,terrain',
    fallback: { value: PHOTO_KINDS },
    parse(value) {
      const kinds = value.split(',').map(kind => kind.trim())
      const unknown = kinds.find(kind => !PHOTO_KINDS.some(known => known === kind))
      if (unknown !== undefined) {
        return { problem: `names the unknown source "${unknown}"; known are ${PHOTO_KINDS.join(', ')}` }
      }
      return {
        value: PHOTO_KINDS.toSorted((a, b) => kinds.indexOf(a) - kinds.indexOf(b)).filter(kind =>
          kinds.includes(kind),
        ),
      }
    },
  } satisfies Variable<readonly PhotoKind[]> as Variable<readonly PhotoKind[]>,
  map3dGoogleKey: optional(
    key('MAP_3D_GOOGLE_KEY', "Public key of Google's Map Tiles API, for its 3D Tiles."),
  ),
  map3dIonToken: optional(key('MAP_3D_ION_TOKEN', 'Public access token of Cesium ion, for its 3D Tiles.')),
  map3dIonAsset: integer('MAP_3D_ION_ASSET', {
    min: 1,
    max: 1_000_000_000,
    about: 'Number of the tileset at Cesium ion.',
    fallback: GOOGLE_ASSET,
  }),
  map3dTiles: optional(
    address('MAP_3D_TILES', {
      about: 'Address of any 3D tileset.',
      example: 'https://tiles3d.example/tileset.json',
      placeholders: [],
    }),
  ),
  map3dTilesAttribution: optional(
    text('MAP_3D_TILES_ATTRIBUTION', {
      about: 'Credit that the 3D view shows for `MAP_3D_TILES`, as text.',
      example: '© Example Survey',
    }),
  ),
  map3dTerrain: optional(
    address('MAP_3D_TERRAIN', {
      about: 'Heights as raster tiles in the format Terrarium, under the pictures of `MAP_SATELLITE`.',
      example: 'https://terrain.example/{z}/{x}/{y}.png',
      placeholders: ['z', 'x', 'y'],
    }),
  ),
  ...rasterEnv('MAP_3D_TERRAIN', 'map3dTerrain'),
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
  readonly map3dOrder: readonly PhotoKind[]
  readonly map3dGoogleKey: string | null
  readonly map3dIonToken: string | null
  readonly map3dIonAsset: number
  readonly map3dTiles: string | null
  readonly map3dTilesAttribution: string | null
  readonly map3dTerrain: string | null
  readonly map3dTerrainTileSize: number
  readonly map3dTerrainMaxZoom: number
  readonly map3dTerrainAttribution: string | null
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
    ...(values.map3dTiles !== null && values.map3dTilesAttribution === null ? [missing('MAP_3D_TILES')] : []),
    ...(values.map3dTerrain !== null && values.map3dTerrainAttribution === null
      ? [missing('MAP_3D_TERRAIN')]
      : []),
    ...(values.map3dTerrain !== null && mapSatellite === null
      ? ['MAP_3D_TERRAIN needs the pictures of MAP_SATELLITE, which is missing.']
      : []),
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
    photo: values.map3dOrder.flatMap(kind => photoSource(kind, values) ?? []),
  }
}

function photoSource(kind: PhotoKind, values: MapVariables): MapSources['photo'][number] | null {
  switch (kind) {
    case 'google':
      return values.map3dGoogleKey === null ? null : { kind, key: values.map3dGoogleKey }
    case 'ion':
      return values.map3dIonToken === null
        ? null
        : { kind, token: values.map3dIonToken, assetId: values.map3dIonAsset }
    case 'tiles':
      return values.map3dTiles === null
        ? null
        : { kind, url: values.map3dTiles, attribution: values.map3dTilesAttribution! }
    case 'terrain':
      return values.map3dTerrain === null
        ? null
        : {
            kind,
            terrain: {
              tiles: values.map3dTerrain,
              tileSize: values.map3dTerrainTileSize,
              maxZoom: values.map3dTerrainMaxZoom,
              attribution: values.map3dTerrainAttribution!,
            },
          }
  }
}

/** The sources of a page without maps. */
export const NO_MAP_SOURCES: MapSources = { street: null, satellite: null, streetView: null, photo: [] }

/** Origins of providers whose addresses are fixed. A tileset of ion can be one of Google. */
const GOOGLE_ORIGINS = ['https://tile.googleapis.com']
const ION_ORIGINS = ['https://api.cesium.com', 'https://assets.ion.cesium.com', ...GOOGLE_ORIGINS]

/** Returns the origins that the page fetches pictures from. It only links to the page of `streetView`. */
export function mapOrigins({ street, satellite, photo }: MapSources): string[] {
  const addresses = [street && ('style' in street ? street.style : street.tiles), satellite?.tiles]
  const origins = addresses.flatMap(address => (address ? [new URL(address).origin] : []))
  return [...new Set([...origins, ...photo.flatMap(photoOrigins)])]
}

function photoOrigins(source: MapSources['photo'][number]): readonly string[] {
  switch (source.kind) {
    case 'google':
      return GOOGLE_ORIGINS
    case 'ion':
      return ION_ORIGINS
    case 'tiles':
      return [new URL(source.url).origin]
    case 'terrain':
      return [new URL(source.terrain.tiles).origin]
  }
}

const missing = (name: string) =>
  `${name}_ATTRIBUTION is missing: the terms of tiles ask for a credit on the map. For example: © OpenStreetMap contributors`

/** A key that reaches the page. One that was pasted with spaces would be refused by its provider. */
function key(name: string, about: string): Variable<string> {
  return {
    name,
    about,
    example: 'abc123',
    parse: value => (/\s/.test(value) ? { problem: 'must not contain spaces' } : { value }),
  }
}

/** Variables of raster tiles, beside their address. */
function rasterEnv<Key extends 'mapStreet' | 'mapSatellite' | 'map3dTerrain'>(prefix: string, key: Key) {
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
