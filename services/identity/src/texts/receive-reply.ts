import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { markUsed } from '../tokens/token.ts'

/** The contract's path, to which the messaging provider posts forms. */
export const REPLY_ROUTE = '/v1/public/texts/replies'

/** Words that providers understand in every country, in any case. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT'.split(' '),
)
const START_WORDS: ReadonlySet<string> = new Set('START UNSTOP YES'.split(' '))

/** Days in which a repeated message is known; after them the provider itself has deleted it. */
const KNOWN_DAYS = 400

/**
 * Receives what people answer to texts: STOP ends the texts of a channel to their number, START allows them
 * again. Throws `bad_request` if a field is missing, and `unauthorized_credentials` if the provider did not sign the form.
 */
export function receiveTextReply({ settings, change, refusals }: Deps): HandlerOf<'receiveTextReply'> {
  const { provider } = settings.texts
  const url = new URL(REPLY_ROUTE, settings.publicOrigin).href
  return async (request, reply) => {
    if (provider === null) throw new IdentityError('endpoint_not_authorized_for_sdk')
    const form = readForm(request.body)
    const secret = provider.credentials.slice(provider.credentials.indexOf(':') + 1)
    const signature = request.headers['x-twilio-signature']
    if (!isSame(String(signature), signReply(url, form, secret))) {
      throw new IdentityError('unauthorized_credentials')
    }
    const wish = wishOf(form.OptOutType ?? form.Body)
    if (wish !== null) {
      const channel = form.From.startsWith('whatsapp:') ? 'whatsapp' : 'sms'
      const number = form.From.replace(/^whatsapp:/, '')
      await change(async work => {
        const knownUntil = new Date(work.now.getTime() + KNOWN_DAYS * 86_400_000)
        // An old STOP that arrives again must not end texts that a later START has allowed.
        const isFirst = await markUsed(work, 'text_reply', `text_reply ${form.MessageSid}`, knownUntil)
        if (isFirst) await refusals[wish](work, channel, number)
      })
    }
    return reply.code(204).send()
  }
}

/** Returns the fields of a form. Throws `bad_request` if one is missing that each message has. */
function readForm(body: unknown): Readonly<Record<string, string>> & Message {
  const form = body as Readonly<Record<string, string>> & Partial<Message>
  const { MessageSid, From, Body } = form
  if (typeof MessageSid === 'string' && typeof From === 'string' && typeof Body === 'string') {
    return { ...form, MessageSid, From, Body }
  }
  throw new IdentityError('bad_request', { message: 'Send a form with MessageSid, From and Body.' })
}

interface Message {
  readonly MessageSid: string
  readonly From: string
  readonly Body: string
}

/**
 * Returns the signature of a form in the way that messaging providers share: an HMAC-SHA-1 in base64. It covers
 * the address, and then name and value of each field, in the order of the names.
 */
export function signReply(url: string, form: Readonly<Record<string, unknown>>, secret: string): string {
  const fields = Object.entries(form)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}${value}`)
  return createHmac('sha1', secret)
    .update(url + fields.join(''))
    .digest('base64')
}

function isSame(shown: string, expected: string): boolean {
  const [one, other] = [Buffer.from(shown), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Returns what a message asks for; null if it is about something else. */
function wishOf(message: string): 'stop' | 'start' | null {
  const word = message.trim().toUpperCase()
  if (STOP_WORDS.has(word)) return 'stop'
  return START_WORDS.has(word) ? 'start' : null
}
