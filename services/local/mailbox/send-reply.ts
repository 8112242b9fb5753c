import { createHmac } from 'node:crypto'
import { type Mail, newArrival } from './mail-store.ts'

/** Reports what the recipient of a text answers. Returns whether Lapwing received it; false for a mail. */
export type SendReply = (text: Mail, words: string) => Promise<boolean>

/**
 * Creates a sender of replies like a messaging provider's: a POST of `MessageSid`, `From`, `To` and `Body`. The
 * signature is an HMAC-SHA-1 over the address and the sorted fields.
 *
 * @param url address of identity's call for replies; null if nothing runs that receives them
 * @param secret the one that identity sends texts with
 */
export function createSendReply(url: URL | null, secret: string): SendReply {
  return async ({ channel, from, to }, words) => {
    if (url === null || channel === undefined) return false
    const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
    const form = new URLSearchParams({
      MessageSid: newArrival().id,
      From: `${prefix}${to[0] ?? ''}`,
      To: `${prefix}${from}`,
      Body: words,
    })
    form.sort()
    const signed = url.href + [...form].flat().join('')
    const signature = createHmac('sha1', secret).update(signed).digest('base64')
    try {
      const { ok } = await fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature },
        body: form,
        redirect: 'error',
        signal: AbortSignal.timeout(5_000),
      })
      return ok
    } catch {
      return false
    }
  }
}
