import { createHash } from 'node:crypto'
import type { paths } from '@lapwing/contracts/internal'
import { traceparent } from '@lapwing/tracing'
import createClient from 'openapi-fetch'
import { createEventSigner } from './sign-event.ts'

const DELIVER_WITHIN_MS = 5_000

/**
 * Returns a function that sends the bytes of an event to a service and returns the status. It rejects if no
 * answer comes in time. Repeating is safe: the receiver handles each event once.
 *
 * @param key secret of at least 32 bytes, the same on both sides
 */
export function createEventDelivery(key: Uint8Array): (service: URL, payload: Uint8Array) => Promise<number> {
  const sign = createEventSigner(key)
  return async (service, payload) => {
    const token = await sign(createHash('sha256').update(payload).digest('base64url'))
    const parent = traceparent()
    const { response } = await createClient<paths>({ baseUrl: service.origin }).POST('/internal/events', {
      headers: {
        'content-type': 'application/x-protobuf',
        authorization: `Bearer ${token}`,
        ...(parent !== null && { traceparent: parent }),
      },
      body: payload as never,
      bodySerializer: bytes => bytes,
      parseAs: 'text',
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVER_WITHIN_MS),
    })
    return response.status
  }
}
