import { createServiceTokenSigner } from '@lapwing/auth'
import { createSemaphore } from './semaphore.ts'

/** Another service does not answer as it should: the same call may go through later. */
export class ServiceUnavailable extends Error {
  /** It gave no answer to anybody; false where it did not do what it was asked for. */
  readonly isAway: boolean

  constructor(service: string, cause: unknown, { isAway }: { readonly isAway: boolean }) {
    super(isAway ? `${service} cannot be reached` : `${service} did not do as it should`, { cause })
    this.name = 'ServiceUnavailable'
    this.isAway = isAway
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
  const limit = createSemaphore({ atOnce: 16, maxWaitMs: timeoutMs })

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
      const { status, said } = await limit(() => send(method, path, body)).catch((cause: unknown) => {
        throw new ServiceUnavailable(name, cause, { isAway: true })
      })
      if (!expected.includes(status)) {
        const isAway = status === 502 || status === 503 || status === 504
        throw new ServiceUnavailable(name, new Error(`${name} answered ${status}`), { isAway })
      }
      try {
        return { status, body: said === '' ? null : (JSON.parse(said) as unknown) }
      } catch (cause) {
        throw new ServiceUnavailable(name, cause, { isAway: false })
      }
    },
  }
}
