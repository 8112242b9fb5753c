import type { KeyValueStore } from '../../src/shared/storage/safe-storage.ts'
import type { BodyOf, DataOf, Operation } from './contract.ts'
import { ApiError, isSessionLost } from './errors.ts'
import type { Transport } from './transport.ts'

/** Everything that the calls of a product need. Each product has a file that creates its calls. */
export interface Client extends Transport {
  readonly pageOrigin: string
  /** Storage that all tabs share. A link of a mail opens in its own tab. */
  readonly store: KeyValueStore
  /** Minutes that a new session lasts, unless a call says otherwise. */
  readonly sessionMinutes: number
  /** Returns whether the browser has a session, whose token scripts perhaps cannot read. */
  readonly hasSession: () => boolean
  /** Warns developers on the console about what a person cannot change. */
  readonly warn: (sentence: string) => void
}

/** Sends a call of the contract that has a body. */
export function post<Id extends Operation>(
  client: Client,
  path: string,
  body?: BodyOf<Id>,
  token?: string | null,
): Promise<DataOf<Id>> {
  return client.call('POST', path, body as object | undefined, token)
}

/** Sends a call that starts or extends a session. */
export function enter<Id extends Operation>(
  client: Client,
  path: string,
  body: BodyOf<Id>,
  token?: string | null,
): Promise<DataOf<Id>> {
  const timed = { session_duration_minutes: client.sessionMinutes, ...(body as object) }
  return client.call('POST', path, timed, token)
}

/** Returns the end of a path that differs for people who are signed in: their code or link adds a factor. */
export function variantOf(client: Client): 'primary' | 'secondary' {
  return client.hasSession() ? 'secondary' : 'primary'
}

const NOT_OFFERED: ReadonlySet<string> = new Set(['endpoint_not_authorized_for_sdk', 'route_not_found'])

/** Reads what a hosted provider of the same protocol, or an older service, perhaps lacks; null then. */
export async function getIfOffered<Id extends Operation>(
  client: Client,
  path: string,
): Promise<DataOf<Id> | null> {
  try {
    return await client.call<DataOf<Id>>('GET', path)
  } catch (error) {
    const isMissing =
      error instanceof ApiError &&
      (NOT_OFFERED.has(error.type) || (error.status === 404 && !isSessionLost(error)))
    if (isMissing) return null
    throw error
  }
}
