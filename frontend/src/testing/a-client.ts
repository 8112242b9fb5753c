import type { Client } from '@lapwing/identity-client/client'
import { createTransport, type TransportDeps } from '@lapwing/identity-client/transport'
import { memoryStore } from './memory-store.ts'

interface ClientChanges extends Partial<TransportDeps> {
  readonly baseUrl?: string
  readonly hasSession?: () => boolean
}

/** Returns a client of a page that is not signed in, and what it has warned about. */
export function aClient({ baseUrl = '', hasSession = () => false, ...changes }: ClientChanges = {}) {
  const warnings: string[] = []
  const pageOrigin = 'https://lapwing.test'
  const client: Client = {
    ...createTransport({
      fetch: () => Promise.reject(new TypeError('Failed to fetch')),
      config: async () => ({ baseUrl, publicToken: 'public-token-test-1' }),
      sessionToken: () => null,
      pageOrigin,
      newId: () => 'id',
      now: () => new Date(0),
      ...changes,
    }),
    pageOrigin,
    store: memoryStore(),
    sessionMinutes: 60,
    hasSession,
    warn: sentence => void warnings.push(sentence),
  }
  return { client, warnings }
}
