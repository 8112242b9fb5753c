import { ConfigError } from '@lapwing/config'
import type { components } from '@lapwing/contracts/gateway'
import { type MapVariables, mapEnv, type PhotoKind, type RasterKey } from './map-variables.ts'
import { isRasterAddress, proxyProblems, tileNames, tilePath } from './tiles/tile-sources.ts'

/** Where the page gets the pictures of its 2D and 3D views (`openapi/gateway.yaml`). */
export type MapSources = components['schemas']['MapSources']

/**
 * Returns the sources that the variables name. Throws a `ConfigError` if raster tiles have no attribution, or
 * if `env` has a variable of a source that does not exist.
 */
export function readMapSources(
  values: MapVariables,
  env: Readonly<Record<string, string | undefined>>,
): MapSources {
  const { mapStreet, mapSatellite } = values
  const isRaster = isRasterAddress(mapStreet)
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
    ...proxyProblems(values),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    street: mapStreet === 'none' ? null : isRaster ? rasterSource('mapStreet', values) : { style: mapStreet },
    satellite: mapSatellite === null ? null : rasterSource('mapSatellite', values),
    streetView: values.mapStreetView,
    photo: values.map3dOrder.flatMap(kind => photoSource(kind, values) ?? []),
  }
}

/** Returns raster tiles as the page asks for them: at their provider, or at the gateway. */
function rasterSource(key: RasterKey, values: MapVariables): components['schemas']['RasterSource'] {
  return {
    tiles: values[`${key}Proxy`] ? tilePath(tileNames[key]) : values[key]!,
    tileSize: values[`${key}TileSize`],
    maxZoom: values[`${key}MaxZoom`],
    attribution: values[`${key}Attribution`]!,
  }
}

function photoSource(kind: PhotoKind, values: MapVariables): MapSources['photo'][number] | null {
  switch (kind) {
    case 'google':
      return values.map3dGoogleKey === null ? null : { kind, key: values.map3dGoogleKey, ...logoOf(values) }
    case 'ion':
      return values.map3dIonToken === null
        ? null
        : { kind, token: values.map3dIonToken, assetId: values.map3dIonAsset, ...logoOf(values) }
    case 'tiles':
      return values.map3dTiles === null
        ? null
        : { kind, url: values.map3dTiles, attribution: values.map3dTilesAttribution! }
    case 'terrain':
      return values.map3dTerrain === null ? null : { kind, terrain: rasterSource('map3dTerrain', values) }
  }
}

const logoOf = ({ map3dGoogleLogo: logo }: MapVariables) => (logo === null ? {} : { logo })

/** The sources of a page without maps. */
export const NO_MAP_SOURCES: MapSources = { street: null, satellite: null, streetView: null, photo: [] }

/** Origins of providers whose addresses are fixed. A tileset of ion can be one of Google. */
const GOOGLE_ORIGINS = ['https://tile.googleapis.com']
const ION_ORIGINS = ['https://api.cesium.com', 'https://assets.ion.cesium.com', ...GOOGLE_ORIGINS]

/** Returns the origins that the page fetches pictures from. It only links to the page of `streetView`. */
export function mapOrigins({ street, satellite, photo }: MapSources): string[] {
  const addresses = [street && ('style' in street ? street.style : street.tiles), satellite?.tiles]
  return [...new Set([...addresses.flatMap(originsOf), ...photo.flatMap(photoOrigins)])]
}

/** Returns the origins from which the page shows pictures as they are. Tiles are fetched and decoded by its code. */
export function logoOrigins({ photo }: MapSources): string[] {
  return [...new Set(photo.flatMap(source => ('logo' in source ? originsOf(source.logo) : [])))]
}

/** None for a path of the gateway itself. */
function originsOf(address: string | null | undefined): string[] {
  return address && !address.startsWith('/') ? [new URL(address).origin] : []
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
      return originsOf(source.terrain.tiles)
  }
}

const missing = (name: string) =>
  `${name}_ATTRIBUTION is missing: the terms of tiles ask for a credit on the map. For example: © OpenStreetMap contributors`
