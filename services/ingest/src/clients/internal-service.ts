import { createServiceTokenSigner } from '@lapwing/auth'
import { createTurns } from './turns.ts'

/** Another service does not answer as it should: the same call may go through later. */
export class ServiceUnavailable extends Error {
  constructor(service: string, cause: unknown) {
    super(`${service} cannot be reached`, { cause })
    this.name = 'ServiceUnavailable'
  }
}

export interface InternalService {
  /**
   * Sends a request to an `/internal/` address and gives the status and what the JSON of the answer
   * holds, null without a body. Throws `ServiceUnavailable` where no answer came in time, or a status
   * that is not among `expected`.
   */
  ask(
    method: 'GET' | 'PUT',
    path: string,
    options: { readonly expected: readonly number[]; readonly body?: object },
  ): Promise<{ readonly status: number; readonly body: unknown }>
}

/** @param key the `INTERNAL_KEY` both share */
export function createInternalService(options: {
  readonly name: string
  readonly url: URL
  readonly key: Uint8Array
  /** For its turn, and for an answer. */
  readonly timeoutMs: number
}): InternalService {
  const { name, url, key, timeoutMs } = options
  const sign = createServiceTokenSigner(key, name)
  // Hundreds of connections at once would each be slower than some of them one after another.
  const inTurn = createTurns({ atOnce: 16, maxWaitMs: timeoutMs })

  async function send(method: string, path: string, body: object | undefined) {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${await sign()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: answer.status, said: await answer.text() }
  }

  return {
    async ask(method, path, { expected, body }) {
      try {
        const { status, said } = await inTurn(() => send(method, path, body))
        if (!expected.includes(status)) throw new Error(`${name} answered ${status}`)
        return { status, body: said === '' ? null : (JSON.parse(said) as unknown) }
      } catch (error) {
        throw new ServiceUnavailable(name, error)
      }
    },
  }
}
