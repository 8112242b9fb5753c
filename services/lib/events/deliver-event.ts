import { createHash } from 'node:crypto'
import { request } from 'undici'
import { EVENTS_PATH } from './inbox.ts'
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
    const answer = await request(new URL(EVENTS_PATH, service), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-protobuf',
        authorization: `Bearer ${await sign(createHash('sha256').update(payload).digest('base64url'))}`,
      },
      body: payload,
      headersTimeout: DELIVER_WITHIN_MS,
      bodyTimeout: DELIVER_WITHIN_MS,
      signal: AbortSignal.timeout(DELIVER_WITHIN_MS),
    })
    await answer.body.dump()
    return answer.statusCode
  }
}
