import type { components } from '@lapwing/contracts/gateway'
import { readText } from '../api/read-text.ts'
import { HAS_MAPS } from './has-maps.ts'
import { NO_MAP_SOURCES, parseMapSources } from './map-sources.ts'

type PageConfig = components['schemas']['PageConfig']
type Identity = PageConfig['identity']

/** Settings of this deployment (`openapi/gateway.yaml`). `identity` is `unknown` without an answer. */
export type RunTimeConfig = Omit<PageConfig, 'identity'> & { readonly identity: Identity | 'unknown' }

/** The settings without a gateway: the browser does everything. */
export const browserDefaults = {
  preview: 'browser',
  maps: HAS_MAPS,
  mapSources: NO_MAP_SOURCES,
  version: 'unknown',
  identity: null,
} as const satisfies RunTimeConfig

/** Bytes of `/config.json`, at most: it has a few addresses. */
const MAX_BYTES = 256 * 1024

/**
 * Reads `/config.json` once. Never rejects and never takes longer than `timeoutMs`, because a page that reads
 * files itself must not wait for a server.
 */
export async function loadRunTimeConfig(
  fetch: typeof globalThis.fetch,
  timeoutMs = 3000,
): Promise<RunTimeConfig> {
  const silent: RunTimeConfig = { ...browserDefaults, identity: 'unknown' }
  try {
    const response = await fetch('/config.json', { signal: AbortSignal.timeout(timeoutMs) })
    if (response.ok) return parseRunTimeConfig(JSON.parse(await readText(response, MAX_BYTES)))
    return response.status === 404 ? browserDefaults : silent
  } catch (error) {
    // The answer is a page, not a gateway's JSON.
    return error instanceof SyntaxError ? browserDefaults : silent
  }
}

/** Milliseconds. Only a driver who wants to sign in waits this long; a file never does. */
const IDENTITY_TIMEOUT_MS = 15_000

/**
 * Returns a function that resolves to the identity provider of this deployment; to null if it has none. If the
 * gateway did not answer when the page opened, the function asks it again. It rejects if there is still no answer.
 */
export function identityConfig(
  first: Promise<RunTimeConfig>,
  load: (timeoutMs: number) => Promise<RunTimeConfig>,
): () => Promise<Identity> {
  let latest = first
  return async () => {
    const before = latest
    const { identity } = await before
    if (identity !== 'unknown') return identity
    // One request, for all callers together.
    if (latest === before) latest = load(IDENTITY_TIMEOUT_MS)
    const again = (await latest).identity
    if (again === 'unknown') throw new Error('The gateway does not answer.')
    return again
  }
}

/** Parses each field; one with the wrong type gets its default. */
export function parseRunTimeConfig(value: unknown): RunTimeConfig {
  if (typeof value !== 'object' || value === null) return browserDefaults
  const { preview, maps, mapSources, version, identity } = value as Partial<
    Record<keyof RunTimeConfig, unknown>
  >
  return {
    preview: preview === 'server' ? 'server' : browserDefaults.preview,
    maps: HAS_MAPS && (typeof maps === 'boolean' ? maps : browserDefaults.maps),
    mapSources: parseMapSources(mapSources),
    version: typeof version === 'string' ? version : browserDefaults.version,
    identity: parseIdentity(identity),
  }
}

function parseIdentity(value: unknown): Identity {
  const { baseUrl, publicToken } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof baseUrl === 'string' && typeof publicToken === 'string' ? { baseUrl, publicToken } : null
}
