import { createServiceTokenSigner } from '@lapwing/auth'

/** Asks identity whether a session is active. Rejects if no clear answer comes within a second. */
export function createAskIdentity(
  identityUrl: URL,
  internalKey: Uint8Array,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): (sessionId: string) => Promise<boolean> {
  const sign = createServiceTokenSigner(internalKey, 'identity')
  return async sessionId => {
    const address = new URL(`/internal/sessions/${encodeURIComponent(sessionId)}`, identityUrl)
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${await sign()}` },
      redirect: 'error',
      signal: AbortSignal.timeout(1_000),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`identity answered ${response.status}`)
    }
    const { active } = (await response.json()) as { active?: unknown }
    if (typeof active !== 'boolean') throw new Error('the answer of identity has no boolean `active`')
    return active
  }
}
