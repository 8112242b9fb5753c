import { createInternalService } from '@lapwing/internal'

/** Asks identity whether a session is active. Throws `ServiceUnavailable` without an answer within a second. */
export function createAskIdentity(url: URL, key: Uint8Array): (sessionId: string) => Promise<boolean> {
  const identity = createInternalService({ name: 'identity', url, key, timeoutMs: 1_000 })
  return async id => {
    const { active } = await identity.ask('getSessionState', client =>
      client.GET('/internal/sessions/{id}', { params: { path: { id } } }),
    )
    return active
  }
}
