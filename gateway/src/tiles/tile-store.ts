import type { IncomingHttpHeaders } from 'node:http'
import CachePolicy from 'http-cache-semantics'
import { LRUCache } from 'lru-cache'
import type { Picture } from './fetch-tile.ts'

/** A picture in memory, and the rules of its source for it. */
export interface StoredTile {
  readonly picture: Picture
  readonly policy: CachePolicy
}

/** Rough bytes of an entry beside its picture. */
const ENTRY_BYTES = 2 * 1024

/** The gateway sends every request for a tile with the same headers, so that no answer varies by its client. */
const REQUEST = { method: 'GET', headers: {} }

/** A source that states no lifetime is asked each time, with the tag of the stored picture. */
const SHARED = { shared: true, cacheHeuristic: 0 }

/** Stores pictures in memory as a shared cache may (RFC 9111). The least used ones are evicted. */
export function createTileStore(maxBytes: number) {
  const tiles = new LRUCache<string, StoredTile>({
    maxSize: maxBytes,
    sizeCalculation: ({ picture: { bytes, headers } }) => bytes.length + ENTRY_BYTES + headerBytes(headers),
  })

  function put(key: string, picture: Picture, policy: CachePolicy): StoredTile {
    const tile = { picture: { ...picture, headers: policy.responseHeaders() as IncomingHttpHeaders }, policy }
    if (policy.storable()) tiles.set(key, tile)
    else tiles.delete(key)
    return tile
  }

  return {
    get: (key: string) => tiles.get(key),
    isFresh: ({ policy }: StoredTile) => policy.satisfiesWithoutRevalidation(REQUEST),
    /** Returns the headers that ask the source whether the picture is current. */
    conditionsOf: ({ policy }: StoredTile) =>
      policy.revalidationHeaders(REQUEST) as Readonly<Record<string, string>>,
    /** Stores a picture if its source allows that. */
    add: (key: string, picture: Picture) =>
      put(key, picture, new CachePolicy(REQUEST, answerOf(200, picture.headers), SHARED)),
    /** Renews a stored picture that its source confirmed. */
    renew: (key: string, { picture, policy }: StoredTile, headers: IncomingHttpHeaders) =>
      put(key, picture, policy.revalidatedPolicy(REQUEST, answerOf(304, headers)).policy),
    /** The picture's headers now, with its age. */
    headersOf: ({ policy }: StoredTile) => policy.responseHeaders() as IncomingHttpHeaders,
  }
}

export type TileStore = ReturnType<typeof createTileStore>

/** Bytes of all headers: a source can send many kilobytes of them with a picture of some bytes. */
function headerBytes(headers: IncomingHttpHeaders): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)
}

function answerOf(status: number, headers: IncomingHttpHeaders) {
  return { status, headers: headers as CachePolicy.Headers }
}
