import type { Db } from '../database.ts'
import type { DeliveryFailure } from '../outbox/outbox-sender.ts'
import type { TextProvider } from './config.ts'
import type { TextRefusals } from './refusals.ts'
import type { OutgoingText } from './text-outbox.ts'

/** Bytes of an answer that are read. A message’s resource has about one KiB. */
const MAX_ANSWER_BYTES = 64 * 1024

/** A text that the messaging provider did not accept. */
export class TextDeliveryError extends Error implements DeliveryFailure {
  readonly isFinal: boolean
  readonly isCertainlyUnsent: boolean
  readonly reason: string

  constructor({ isFinal, isCertainlyUnsent, reason }: DeliveryFailure) {
    super(`The messaging provider did not accept a text: ${reason}`)
    this.name = 'TextDeliveryError'
    this.isFinal = isFinal
    this.isCertainlyUnsent = isCertainlyUnsent
    this.reason = reason
  }
}

/** The provider's code for a number whose owner answered STOP. */
const UNSUBSCRIBED = 21_610

export interface TextDeliveryOptions {
  readonly provider: TextProvider
  readonly refusals: Pick<TextRefusals, 'store' | 'isStopped'>
  readonly db: Db
  readonly timeoutMs?: number
}

/**
 * Creates the delivery of texts by HTTP, in the form that messaging providers share: a POST of the fields `To`,
 * `From` and `Body`, with Basic authentication. WhatsApp numbers have the prefix `whatsapp:`. A 2xx accepts the
 * text. Any other answer is JSON with a numeric `code`. Throws `TextDeliveryError`.
 */
export function createTextDelivery(options: TextDeliveryOptions) {
  const { provider, refusals, db, timeoutMs = 10_000 } = options
  const { url, credentials, senders, whatsappTemplate } = provider
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`

  function formOf({ channel, to, words, code }: OutgoingText): URLSearchParams {
    const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
    const from = senders[channel] ?? ''
    const isTemplate = channel === 'whatsapp' && whatsappTemplate !== '' && code !== null
    return new URLSearchParams({
      To: `${prefix}${to}`,
      From: `${prefix}${from}`,
      ...(isTemplate
        ? { ContentSid: whatsappTemplate, ContentVariables: JSON.stringify({ 1: code }) }
        : { Body: words }),
    })
  }

  async function post(text: OutgoingText): Promise<Response> {
    try {
      return await fetch(url, {
        method: 'POST',
        headers: { authorization, accept: 'application/json', 'user-agent': 'Lapwing' },
        body: formOf(text),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      throw unreachable(error)
    }
  }

  return async (_textId: string, text: OutgoingText): Promise<void> => {
    // Its owner may have answered STOP since the request.
    if (await refusals.isStopped(db, text.channel, text.to)) {
      throw new TextDeliveryError({ isFinal: true, isCertainlyUnsent: true, reason: 'stopped' })
    }
    const response = await post(text)
    if (response.ok) {
      await response.body?.cancel()
      return
    }
    const code = await readCode(response)
    if (code === UNSUBSCRIBED) await refusals.store(text.channel, text.to)
    // Refused credentials, a rate limit or a failure of the provider can end; a refused number stays refused.
    const isTemporary =
      response.status >= 500 || [401, 403, 404, 407, 408, 425, 429].includes(response.status)
    throw new TextDeliveryError({
      isFinal: code === UNSUBSCRIBED || !isTemporary,
      isCertainlyUnsent: response.status < 500,
      reason: code === null ? String(response.status) : `${response.status} ${code}`,
    })
  }
}

/** Returns how the delivery failed; any other error may have followed an accepted text. */
export function explainTextFailure(error: unknown): DeliveryFailure {
  if (error instanceof TextDeliveryError) return error
  return { isFinal: false, isCertainlyUnsent: false, reason: (error as Error).name }
}

function unreachable(error: unknown): TextDeliveryError {
  const { name, cause } = error as { name: string; cause?: { code?: string } }
  const reason = cause?.code ?? name
  return new TextDeliveryError({
    isFinal: false,
    // After a time-out or a broken connection the provider may have the text.
    isCertainlyUnsent: ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(reason),
    reason,
  })
}

/** Returns the provider's numeric code of a refusal; null if the answer has none. */
async function readCode(response: Response): Promise<number | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > MAX_ANSWER_BYTES) return null
      chunks.push(chunk)
    }
    const { code } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { code?: unknown }
    return Number.isSafeInteger(code) ? (code as number) : null
  } catch {
    return null
  }
}
