import { flag, integer, oneOf, optional, text, type Variable } from '@lapwing/config'
import type { components } from '@lapwing/contracts/gateway'

const OPEN_FREE_MAP = 'https://tiles.openfreemap.org/styles/liberty'

/** Google's Photorealistic 3D Tiles at Cesium ion. */
const GOOGLE_ASSET = 2_275_207

export type PhotoKind = components['schemas']['MapSources']['photo'][number]['kind']

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
  map3dGoogleLogo: optional(
    address('MAP_3D_GOOGLE_LOGO', {
      about: "Address of Google's logo, for the credits of its 3D Tiles.",
      example: 'https://lapwing.example/google-maps.svg',
      placeholders: [],
    }),
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
export type MapVariables = {
  readonly [Key in keyof typeof mapEnv]: (typeof mapEnv)[Key] extends Variable<infer Value> ? Value : never
}

/** Keys of the variables that can name raster tiles. */
export type RasterKey = 'mapStreet' | 'mapSatellite' | 'map3dTerrain'

/** A key of a provider. One that was pasted with spaces would be refused by its provider. */
function key(name: string, about: string): Variable<string> {
  return {
    name,
    about,
    example: 'abc123',
    parse: value => (/\s/.test(value) ? { problem: 'must not contain spaces' } : { value }),
  }
}

/** Variables of raster tiles, beside their address. */
function rasterEnv<Key extends RasterKey>(prefix: string, name: Key) {
  return {
    [`${name}TileSize`]: integer(`${prefix}_TILE_SIZE`, {
      min: 64,
      max: 1024,
      about: 'Pixels of one raster tile.',
      fallback: 256,
    }),
    [`${name}MaxZoom`]: integer(`${prefix}_MAX_ZOOM`, {
      min: 0,
      max: 24,
      about: 'Highest zoom of the raster tiles.',
      fallback: 19,
    }),
    [`${name}Attribution`]: optional(
      text(`${prefix}_ATTRIBUTION`, {
        about: 'Credit that the map shows for the raster tiles: text, or HTML with a link.',
        example: '© OpenStreetMap contributors',
      }),
    ),
    [`${name}Proxy`]: flag(`${prefix}_PROXY`, {
      about: 'Whether the gateway fetches the raster tiles, so that browsers see neither source nor key.',
      example: 'true',
      fallback: false,
    }),
    [`${name}Cache`]: oneOf(`${prefix}_CACHE`, {
      choices: ['http', 'none'],
      about: 'Whether the proxy stores tiles as their Cache-Control allows (http), or none.',
      fallback: 'http',
    }),
    [`${name}Daily`]: integer(`${prefix}_DAILY`, {
      min: 0,
      max: 1_000_000_000,
      about: 'Requests that the proxy may send to the source in 24 hours; 0 for any number.',
      fallback: 0,
    }),
    [`${name}Key`]: optional(
      key(`${prefix}_KEY`, `Secret key that the proxy puts in the place of {key} in ${prefix}.`),
    ),
  } as Record<`${Key}TileSize` | `${Key}MaxZoom` | `${Key}Daily`, Variable<number>> &
    Record<`${Key}Attribution` | `${Key}Key`, Variable<string | null>> &
    Record<`${Key}Proxy`, Variable<boolean>> &
    Record<`${Key}Cache`, Variable<'http' | 'none'>>
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
      // The key of a proxied source is a variable of its own, so that it can be a secret of the deployment.
      const ofTiles = placeholders.includes('z') ? value.replace('{key}', 'key') : value
      const found = [...ofTiles.matchAll(/\{([^{}]*)\}/g)].map(([, inner]) => inner!)
      if (isPlain && found.length === 0) return { value }
      if (found.length === placeholders.length && placeholders.every(its => found.includes(its))) {
        return { value }
      }
      const wanted = placeholders.map(its => `{${its}}`).join(', ')
      return { problem: `must contain ${wanted}, each once, and no other placeholder` }
    },
  }
}
