import type { FlowDeps } from '../flows/flows.ts'

let loaded: FlowDeps['passkeys'] | null = null

async function load(): Promise<FlowDeps['passkeys']> {
  loaded ??= (await import('@lapwing/identity-client/passkey-browser')).passkeyBrowser
  return loaded
}

/** The browser's passkeys. Their code loads with the first use. */
export const passkeys: FlowDeps['passkeys'] = {
  isSupported: () => typeof window.PublicKeyCredential === 'function',
  canAutofill: async () => (await load()).canAutofill(),
  create: async options => (await load()).create(options),
  get: async (options, how) => (await load()).get(options, how),
  cancel: () => loaded?.cancel(),
}
