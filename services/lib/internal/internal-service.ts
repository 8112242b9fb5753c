import { createServiceTokenSigner } from '@lapwing/auth'
import { answerProblem } from '@lapwing/contracts/answer-problem'
import type { operations, paths } from '@lapwing/contracts/internal'
import contract from '@lapwing/contracts/internal.json' with { type: 'json' }
import { traceparent, withSpan } from '@lapwing/tracing'
import createClient, { type Client } from 'openapi-fetch'

/** Another service does not answer, or answers wrongly. The same call may succeed later. */
export class ServiceUnavailable extends Error {
  /** True if the service answers no call. False if it answers, but fails this call. */
  readonly isAway: boolean

  constructor(service: string, cause: unknown, { isAway }: { readonly isAway: boolean }) {
    super(isAway ? `${service} cannot be reached` : `${service} answered wrongly`, { cause })
    this.name = 'ServiceUnavailable'
    this.isAway = isAway
  }
}

type Call = (client: Client<paths>) => Promise<{ readonly data?: unknown; readonly response: Response }>
type Answer<Id extends keyof operations> = operations[Id]['responses'] extends {
  200: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

export interface InternalService {
  /** Returns the body of a 200. Throws `ServiceUnavailable` for anything else. */
  ask<Id extends keyof operations>(operationId: Id, call: Call): Promise<Answer<Id>>
  /** Like `ask`, but returns null for a 404. */
  find<Id extends keyof operations>(operationId: Id, call: Call): Promise<Answer<Id> | null>
}

export interface InternalServiceOptions {
  /** Name of the service that is called. */
  readonly name: string
  readonly url: URL
  /** The `INTERNAL_KEY` that both services share. */
  readonly key: Uint8Array
  /** Milliseconds in which the whole answer must arrive. */
  readonly timeoutMs: number
  /** Limits how many calls run at the same time, such as a semaphore. */
  readonly limit?: <Value>(work: () => Promise<Value>) => Promise<Value>
}

export function createInternalService(options: InternalServiceOptions): InternalService {
  const { name, key, timeoutMs, limit = work => work() } = options
  const sign = createServiceTokenSigner(key, name)
  const client = createClient<paths>({
    baseUrl: options.url.origin,
    redirect: 'error',
    async fetch(request) {
      request.headers.set('authorization', `Bearer ${await sign()}`)
      const parent = traceparent()
      if (parent !== null) request.headers.set('traceparent', parent)
      return fetch(request, { signal: AbortSignal.timeout(timeoutMs) })
    },
  })

  function find<Id extends keyof operations>(operationId: Id, call: Call): Promise<Answer<Id> | null> {
    return withSpan({ name: `${name} ${operationId}`, kind: 'client' }, () => findUntraced(operationId, call))
  }

  async function findUntraced<Id extends keyof operations>(
    operationId: Id,
    call: Call,
  ): Promise<Answer<Id> | null> {
    const { data, response } = await limit(() => call(client)).catch((cause: unknown) => {
      // A SyntaxError means that the service answered without valid JSON.
      throw new ServiceUnavailable(name, cause, { isAway: !(cause instanceof SyntaxError) })
    })
    const { status } = response
    if (status === 404) return null
    if (status !== 200) {
      const isAway = status === 502 || status === 503 || status === 504
      throw new ServiceUnavailable(name, new Error(`${name} answered ${status}`), { isAway })
    }
    const problem = answerProblem(contract, operationId, data)
    if (problem !== null) throw new ServiceUnavailable(name, new Error(problem), { isAway: false })
    return data as Answer<Id>
  }

  return {
    find,
    async ask(operationId, call) {
      const answer = await find(operationId, call)
      if (answer !== null) return answer
      throw new ServiceUnavailable(name, new Error(`${name} answered 404`), { isAway: false })
    },
  }
}
