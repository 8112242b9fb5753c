import type { MapVariables, RasterKey } from '../map-variables.ts'

/** Raster tiles that the gateway fetches for the page. */
export interface TileSource {
  /** Part of the route's address, and a label of metrics. */
  readonly name: TileSourceName
  /** Address with `{z}`, `{x}` and `{y}`. It can hold a key, so it never leaves the gateway. */
  readonly address: string
  readonly maxZoom: number
  /** `http`: the gateway stores tiles as their Cache-Control allows. `none`: it stores none. */
  readonly cache: 'http' | 'none'
  /** Requests to the source in 24 hours, at most; 0 for any number. */
  readonly daily: number
}

export type TileSourceName = (typeof tileNames)[RasterKey]

export const tileNames = {
  mapStreet: 'street',
  mapSatellite: 'satellite',
  map3dTerrain: 'terrain',
} as const satisfies Record<RasterKey, string>

const prefixes = {
  mapStreet: 'MAP_STREET',
  mapSatellite: 'MAP_SATELLITE',
  map3dTerrain: 'MAP_3D_TERRAIN',
} as const satisfies Record<RasterKey, string>

const rasterKeys = Object.keys(tileNames) as RasterKey[]

/** Returns the address at which the page asks the gateway for tiles of a source. */
export function tilePath(name: TileSourceName): string {
  return `/tiles/${name}/{z}/{x}/{y}`
}

/** Returns whether the address is one of raster tiles, not of a vector style. */
export function isRasterAddress(address: string | null): address is string {
  return address?.includes('{z}') ?? false
}

/** Returns the sources that pass through the gateway, with their keys. The variables have no problems. */
export function readTileSources(values: MapVariables): readonly TileSource[] {
  return rasterKeys
    .filter(its => values[`${its}Proxy`] && (its !== 'map3dTerrain' || values.map3dOrder.includes('terrain')))
    .map(its => ({
      name: tileNames[its],
      address: values[its]!.replace('{key}', () => encodeURIComponent(values[`${its}Key`] ?? '')),
      maxZoom: values[`${its}MaxZoom`],
      cache: values[`${its}Cache`],
      daily: values[`${its}Daily`],
    }))
}

/** Returns what is wrong with the proxies of raster tiles, a sentence each. No sentence holds a key. */
export function proxyProblems(values: MapVariables): string[] {
  return rasterKeys.flatMap(its => {
    const name = prefixes[its]
    const isRaster = isRasterAddress(values[its])
    const isProxy = values[`${its}Proxy`]
    const hasPlace = isRaster && values[its]!.includes('{key}')
    const hasKey = values[`${its}Key`] !== null
    if (isProxy && !isRaster) return [`${name}_PROXY needs raster tiles in ${name}.`]
    if (hasPlace && !hasKey) return [`${name}_KEY is missing: ${name} has {key}.`]
    if (hasKey && !hasPlace) return [`${name}_KEY has no place: ${name} needs {key}.`]
    if (hasKey && !isProxy)
      return [`${name}_KEY needs ${name}_PROXY=true, or the key would reach every browser.`]
    return []
  })
}
