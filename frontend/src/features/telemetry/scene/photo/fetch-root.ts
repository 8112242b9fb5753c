import { readText } from '#shared/api/read-text.ts'
import { createLoadOnce, FinalError } from '../../load-once.ts'

const GOOGLE_ROOT = 'https://tile.googleapis.com/v1/3dtiles/root.json'

const ION_ASSETS = 'https://api.cesium.com/v1/assets'

/** Milliseconds for the root of a tileset, and its bytes at most: a root names a few tiles. */
const TIMEOUT_MS = 8000
const MAX_BYTES = 4 * 1024 * 1024

/** The root of a tileset, as the provider answers. */
export type RootTileset = Readonly<Record<string, unknown>> & { readonly root: object }

/** What Cesium ion answers for a tileset: an address and a token for it, or the address of another provider. */
export interface IonEndpoint {
  readonly url?: string
  readonly accessToken?: string
  readonly options?: { readonly url?: string }
}

/** Loads the root of a tileset once a page. Rejects with a `FinalError` if it is refused or no tileset. */
export const loadRoot = {
  google: createLoadOnce(async ({ key }: { readonly key: string }) => {
    const url = new URL(GOOGLE_ROOT)
    url.searchParams.set('key', key)
    const root = await fetchRoot(url)
    return { root, session: sessionOf(root) }
  }),
  ion: createLoadOnce(async ({ token, assetId }: { readonly token: string; readonly assetId: number }) => {
    const url = new URL(`${ION_ASSETS}/${assetId}/endpoint`)
    url.searchParams.set('access_token', token)
    const endpoint = (await fetchObject(url)) as IonEndpoint
    if (!URL.canParse(endpoint.options?.url ?? endpoint.url ?? '')) {
      throw new FinalError('Cesium ion names no tileset.', null)
    }
    return endpoint
  }),
  tiles: createLoadOnce(({ url }: { readonly url: string }) => fetchRoot(new URL(url))),
}

async function fetchRoot(url: URL): Promise<RootTileset> {
  const json = await fetchObject(url)
  if (!('root' in json) || typeof json.root !== 'object') {
    throw new FinalError('The root is no tileset.', null)
  }
  return json as RootTileset
}

async function fetchObject(url: URL): Promise<object> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'origin', signal }).catch(
    (error: unknown) => {
      // A driver has waited long enough.
      throw signal.aborted ? new FinalError('The root did not answer.', null) : error
    },
  )
  const { status } = response
  // Another attempt helps only after too many requests, or an error of the server.
  if (status >= 400 && status < 500 && status !== 429) throw new FinalError('The root was refused.', status)
  if (!response.ok) throw new Error(`The root answered ${status}.`)
  const text = await readText(response, MAX_BYTES).catch((error: unknown) => {
    throw error instanceof RangeError ? new FinalError('The root is too large.', null) : error
  })
  const json: unknown = parse(text)
  if (typeof json !== 'object' || json === null) throw new FinalError('The root is no object.', null)
  return json
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FinalError('The root is no JSON.', null)
  }
}

/** Finds the session that Google puts into the addresses of the next tiles; null without one. */
function sessionOf(value: unknown): string | null {
  const open: unknown[] = [value]
  for (let seen = 0; open.length > 0 && seen < 1000; seen++) {
    const next = open.pop()
    if (typeof next === 'string') {
      const session = /[?&]session=([^&]+)/.exec(next)?.[1]
      if (session) return decodeURIComponent(session)
    } else if (typeof next === 'object' && next !== null) open.push(...Object.values(next))
  }
  return null
}
