import type { components } from '@lapwing/contracts/gateway'

type PageConfig = components['schemas']['PageConfig']
type Identity = PageConfig['identity']

/**
 * What the page must know of this deployment; the contract is `openapi/gateway.yaml`. Whether it has accounts
 * is unknown where the gateway did not answer.
 */
export type RunTimeConfig = Omit<PageConfig, 'identity'> & { readonly identity: Identity | 'unknown' }

/** What holds where there is no gateway: everything happens in the browser. */
export const browserDefaults = {
  preview: 'browser',
  maps: true,
  version: 'unknown',
  identity: null,
} as const satisfies RunTimeConfig

/**
 * Reads `/config.json` once. Never fails and never takes longer than `timeoutMs`: a page that can
 * read files by itself must not wait for a server that is away.
 */
export async function loadRunTimeConfig(
  fetch: typeof globalThis.fetch,
  timeoutMs = 3000,
): Promise<RunTimeConfig> {
  const silent: RunTimeConfig = { ...browserDefaults, identity: 'unknown' }
  try {
    const response = await fetch('/config.json', { signal: AbortSignal.timeout(timeoutMs) })
    if (response.ok) return parseRunTimeConfig(await response.json())
    return response.status === 404 ? browserDefaults : silent
  } catch (error) {
    // Something other than a gateway answered with a page.
    return error instanceof SyntaxError ? browserDefaults : silent
  }
}

/** Milliseconds for somebody who wants to sign in; no file waits for that. */
const IDENTITY_TIMEOUT_MS = 15_000

/**
 * Where the accounts of this deployment are; null where it has none. A gateway that did not answer in time when
 * the page was opened is asked again.
 *
 * @returns what rejects where it does not answer then either
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
    // Once, however many wait.
    if (latest === before) latest = load(IDENTITY_TIMEOUT_MS)
    const again = (await latest).identity
    if (again === 'unknown') throw new Error('The gateway does not answer.')
    return again
  }
}

/** Takes each field that has the right type, and the default for the others. */
export function parseRunTimeConfig(value: unknown): RunTimeConfig {
  if (typeof value !== 'object' || value === null) return browserDefaults
  const { preview, maps, version, identity } = value as Partial<Record<keyof RunTimeConfig, unknown>>
  return {
    preview: preview === 'server' ? 'server' : browserDefaults.preview,
    maps: typeof maps === 'boolean' ? maps : browserDefaults.maps,
    version: typeof version === 'string' ? version : browserDefaults.version,
    identity: parseIdentity(identity),
  }
}

function parseIdentity(value: unknown): Identity {
  const { baseUrl, publicToken } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof baseUrl === 'string' && typeof publicToken === 'string' ? { baseUrl, publicToken } : null
}
