import type { MapSources, PhotoSource } from '#shared/config/map-sources.ts'

/** Number of Google's tileset at Cesium ion. */
const GOOGLE_ASSET = 2_275_207

/** Returns whether drivers who open the 3D view receive tiles of Google, also through Cesium ion. */
export function usesGoogle({ photo }: MapSources): boolean {
  return photo.some(
    source => source.kind === 'google' || (source.kind === 'ion' && source.assetId === GOOGLE_ASSET),
  )
}

/** Returns the hosts that browsers ask for pictures of maps, beside the page's own. */
export function mapHosts({ street, satellite, photo }: MapSources, ownHost: string): readonly string[] {
  const addresses = [
    street && ('style' in street ? street.style : street.tiles),
    satellite?.tiles,
    ...photo.flatMap(addressesOf),
  ]
  const hosts = addresses.flatMap(address => (address ? [new URL(address).host] : []))
  return [...new Set(hosts)].filter(host => host !== ownHost)
}

function addressesOf(source: PhotoSource): readonly string[] {
  switch (source.kind) {
    case 'google':
      return ['https://tile.googleapis.com']
    case 'ion':
      return source.assetId === GOOGLE_ASSET
        ? ['https://api.cesium.com', 'https://tile.googleapis.com']
        : ['https://api.cesium.com', 'https://assets.ion.cesium.com']
    case 'tiles':
      return [source.url]
    case 'terrain':
      return [source.terrain.tiles]
  }
}
