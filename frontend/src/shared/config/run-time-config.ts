import type { components } from '@lapwing/contracts/gateway'

/** What the page must know of this deployment; the contract is `openapi/gateway.yaml`. */
export type RunTimeConfig = components['schemas']['PageConfig']

/** What holds where the gateway does not answer: everything happens in the browser. */
export const browserDefaults: RunTimeConfig = {
  preview: 'browser',
  maps: true,
  version: 'unknown',
  identity: null,
}

/**
 * Reads `/config.json` once. Never fails and never takes longer than `timeoutMs`: a page that can
 * read files by itself must not wait for a server that is away.
 */
export async function loadRunTimeConfig(
  fetch: typeof globalThis.fetch,
  timeoutMs = 3000,
): Promise<RunTimeConfig> {
  try {
    const response = await fetch('/config.json', { signal: AbortSignal.timeout(timeoutMs) })
    return response.ok ? parseRunTimeConfig(await response.json()) : browserDefaults
  } catch {
    return browserDefaults
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

function parseIdentity(value: unknown): RunTimeConfig['identity'] {
  const { baseUrl, publicToken } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof baseUrl === 'string' && typeof publicToken === 'string' ? { baseUrl, publicToken } : null
}
