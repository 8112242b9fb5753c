import { createServiceTokenSigner } from '@lapwing/auth'

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
  readonly timeoutMs: number
}): InternalService {
  const { name, url, key, timeoutMs } = options
  const sign = createServiceTokenSigner(key, name)
  return {
    async ask(method, path, { expected, body }) {
      try {
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
        const said = await answer.text()
        if (!expected.includes(answer.status)) throw new Error(`${name} answered ${answer.status}`)
        return { status: answer.status, body: said === '' ? null : (JSON.parse(said) as unknown) }
      } catch (error) {
        throw new ServiceUnavailable(name, error)
      }
    },
  }
}
