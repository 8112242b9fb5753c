import type { FastifyInstance } from 'fastify'
import { type Mail, newArrival } from './mail-store.ts'

/**
 * Receives texts like a messaging provider: a POST of the form fields `To`, `From` and `Body`. Each becomes a
 * message in the mailbox, and none is sent. Any name and secret are accepted, but one is needed: a page of
 * another site cannot send it.
 */
export function receiveTexts(app: FastifyInstance, onText: (text: Mail) => void): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.post<{ Body: Form }>('/texts', { schema: { body: formSchema } }, async (request, reply) => {
    if (!request.headers.authorization?.startsWith('Basic ')) {
      return reply.code(401).send({ code: 20_003, message: 'Authenticate' })
    }
    const { To: to, From: from, Body: text } = request.body
    const isWhatsapp = to.startsWith('whatsapp:')
    const arrival = newArrival()
    onText({
      ...arrival,
      from: withoutPrefix(from),
      to: [withoutPrefix(to)],
      subject: isWhatsapp ? 'WhatsApp message' : 'SMS',
      text,
      html: null,
      attachments: [],
      sizeBytes: Buffer.byteLength(text),
      channel: isWhatsapp ? 'whatsapp' : 'sms',
    })
    return reply.code(201).send({ sid: arrival.id, status: 'queued' })
  })
}

interface Form {
  readonly To: string
  readonly From: string
  readonly Body: string
}

const formSchema = {
  type: 'object',
  required: ['To', 'From', 'Body'],
  properties: {
    To: { type: 'string', pattern: '^(whatsapp:)?\\+[0-9]{4,15}$' },
    From: { type: 'string', maxLength: 64 },
    Body: { type: 'string', minLength: 1, maxLength: 4096 },
  },
}

function withoutPrefix(number: string): string {
  return number.replace(/^whatsapp:/, '')
}
