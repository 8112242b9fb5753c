import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { create, toBinary } from '@bufbuild/protobuf'
import { createPrincipalSigner, createServiceTokenSigner, IDENTITY_HEADER } from '@lapwing/auth'
import { EventSchema } from '@lapwing/contracts/events.pb'
import { createEventSigner, EVENTS_PATH, type EventPayload } from '@lapwing/events'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import type { FastifyInstance } from 'fastify'

export const internalKey = new TextEncoder().encode('a key of at least thirty-two bytes')

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the contract check proves the shape of an answer.
  readonly body: any
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  /** Id of the signed-in account. Undefined for an anonymous call. */
  readonly as?: string | undefined
  /** Sent as JSON. A string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls an operation and checks the answer against the contract. */
export type Call = (operationId: string, options: CallOptions) => Promise<Answer>

export function createCall(app: FastifyInstance, contract: object): Call {
  return async (operationId, { method = 'POST', url, as, body, headers }) => {
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(as !== undefined && { [IDENTITY_HEADER]: await signUser(as) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isPlain = answer.headers['content-encoding'] === undefined
    if (isPlain) checkAnswer(contract, operationId, answer)
    const isJson = isPlain && String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : {},
      bytes: answer.rawPayload,
      headers: answer.headers,
    }
  }
}

/** Sends an event as account does, and checks that each delivery is accepted. */
export async function sendEvent(
  app: FastifyInstance,
  payload: EventPayload,
  { deliveries = 1 }: { readonly deliveries?: number } = {},
): Promise<void> {
  const event = create(EventSchema, { id: randomUUID(), occurredAtMs: BigInt(Date.now()), payload })
  const bytes = Buffer.from(toBinary(EventSchema, event))
  const token = await signEvent(createHash('sha256').update(bytes).digest('base64url'))
  for (let delivery = 0; delivery < deliveries; delivery++) {
    const answer = await app.inject({
      method: 'POST',
      url: EVENTS_PATH,
      headers: { 'content-type': 'application/x-protobuf', authorization: `Bearer ${token}` },
      payload: bytes,
    })
    assert.equal(answer.statusCode, 204)
  }
}

/** Returns the `Authorization` header of a call from another service to the named one. */
export const signService = cacheTokens(
  async (service: string) => `Bearer ${await createServiceTokenSigner(internalKey, service)()}`,
)

const signPrincipal = createPrincipalSigner(internalKey)
const signUser = cacheTokens((userId: string) =>
  signPrincipal({ userId, sessionId: 'session-test-1', roles: [] }),
)
const signEvent = createEventSigner(internalKey)

/**
 * Signs each name at most once in 20 s, which is less than a token is valid. Tests make thousands of calls.
 */
function cacheTokens(sign: (name: string) => Promise<string>): (name: string) => Promise<string> {
  const signed = new Map<string, { readonly token: Promise<string>; readonly at: number }>()
  return name => {
    const known = signed.get(name)
    if (known !== undefined && performance.now() - known.at < 20_000) return known.token
    const token = sign(name)
    signed.set(name, { token, at: performance.now() })
    return token
  }
}
