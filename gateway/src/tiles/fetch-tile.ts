import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors, Pool } from 'undici'
import type { TileSource } from './tile-sources.ts'

/** Zoom, column and row of a tile. */
export interface TilePlace {
  readonly z: number
  readonly x: number
  readonly y: number
}

export interface Picture {
  readonly outcome: 'picture'
  /** One of `PICTURE_TYPES`. */
  readonly type: string
  readonly bytes: Buffer
  readonly headers: IncomingHttpHeaders
}

/**
 * Why there is no picture. `absent`: the source has none here. `refused`: it does not accept the key or the rate.
 * `failed`: it cannot be reached, or its answer has an error, a redirect or an end that is too early.
 */
export type Miss = 'absent' | 'refused' | 'failed' | 'timed_out' | 'too_large' | 'no_picture'

export type FetchedTile =
  | Picture
  | { readonly outcome: 'not_modified'; readonly headers: IncomingHttpHeaders }
  | { readonly outcome: Miss }

export interface FetchLimits {
  /** Connections to one source, each with one request. */
  readonly connections: number
  /** Milliseconds until the whole picture must be there. */
  readonly timeoutMs: number
  readonly bytes: number
}

/** Formats that browsers draw. SVG is absent: on the page's own origin it could run scripts. */
const PICTURE_TYPES: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
  'image/avif': 'image/avif',
}

/** Bytes of an unwanted body that are read, so that its connection can be used again. */
const REST_BYTES = 16 * 1024

/** Opens connections to a source. Redirects are not followed, so no source can choose another address. */
export function openTileSource(
  { address }: TileSource,
  ownHeaders: Readonly<Record<string, string>>,
  { connections, timeoutMs, bytes }: FetchLimits,
) {
  const pool = new Pool(new URL(address).origin, {
    connections,
    pipelining: 1,
    // So that a request that ends early ends its connection alone.
    allowH2: false,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: bytes,
  })

  /**
   * Fetches a tile. Rejects only if `gone` aborts.
   *
   * @param conditions `If-None-Match` and `If-Modified-Since`, if there is a copy
   */
  async function fetchTile(
    { z, x, y }: TilePlace,
    conditions: Readonly<Record<string, string>>,
    gone: AbortSignal,
  ): Promise<FetchedTile> {
    const { pathname, search } = new URL(
      address.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y)),
    )
    const late = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await pool.request({
        method: 'GET',
        path: pathname + search,
        headers: { ...ownHeaders, ...conditions },
        signal: AbortSignal.any([gone, late]),
        // The whole body fits, so it never has to pause.
        highWaterMark: bytes,
      })
      return await read(answer, Object.keys(conditions).length > 0)
    } catch (error) {
      gone.throwIfAborted()
      return { outcome: late.aborted ? 'timed_out' : missOf(error) }
    }
  }

  async function read(
    { statusCode, headers, body }: Dispatcher.ResponseData,
    isConditional: boolean,
  ): Promise<FetchedTile> {
    const type = PICTURE_TYPES[String(headers['content-type']).split(';', 1)[0]!.trim().toLowerCase()]
    const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
    if (statusCode === 200 && type !== undefined && isPlain) {
      const content = Buffer.from(await body.arrayBuffer())
      return content.length === 0
        ? { outcome: 'absent' }
        : { outcome: 'picture', type, bytes: content, headers }
    }
    await body.dump({ limit: REST_BYTES }).catch(() => {})
    // A source that confirms what nobody asked about is broken: there is no copy.
    if (statusCode === 304 && isConditional) return { outcome: 'not_modified', headers }
    return { outcome: statusCode === 200 ? 'no_picture' : (missesByStatus[statusCode] ?? 'failed') }
  }

  return { fetchTile, close: () => pool.destroy() }
}

const missesByStatus: Readonly<Record<number, Miss>> = {
  204: 'absent',
  404: 'absent',
  410: 'absent',
  401: 'refused',
  402: 'refused',
  403: 'refused',
  429: 'refused',
}

function missOf(error: unknown): Miss {
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'too_large'
  return error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
    ? 'timed_out'
    : 'failed'
}
