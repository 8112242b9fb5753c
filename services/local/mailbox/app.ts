import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, addHealth, createApp, type ErrorTable } from '@lapwing/http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { isTo, type Mail, type MailStore } from './mail-store.ts'
import { receiveTexts } from './receive-texts.ts'
import type { SendReply } from './send-reply.ts'

/** Builds the mailbox's page and its API, which lists mails newest first. */
export function buildMailbox(options: MailboxOptions): FastifyInstance {
  const { mails, logger, isReceiving, sendReply } = options
  const app = createApp({ service: 'mailbox', errors, logger, headers: { 'referrer-policy': 'no-referrer' } })
  addHealth(app, { smtp: isReceiving })
  app.addHook('onRequest', async request => {
    // Protects against DNS rebinding: another site's name can point here, but then the request has that name.
    if (options.loopbackOnly && !LOOPBACK_HOSTS.includes(request.hostname)) {
      throw new AppError('mailbox.wrong_host')
    }
  })

  for (const { address, file, type } of pageFiles) {
    const content = readFileSync(join(import.meta.dirname, 'page', file))
    app.get(address, async (_request, reply) => sendPart(reply, type, PAGE_POLICY, content))
  }

  receiveTexts(app, text => mails.add(text))
  app.get<{ Querystring: { to?: string; q?: string } }>(
    '/api/messages',
    { schema: { querystring: querySchema } },
    async ({ query }, reply) => {
      reply.header('cache-control', 'no-store')
      return { messages: mails.find({ to: query.to, words: query.q }).map(summary) }
    },
  )
  app.delete<{ Querystring: { to?: string } }>(
    '/api/messages',
    { schema: { querystring: querySchema } },
    async ({ query: { to } }, reply) => {
      mails.remove(mail => to === undefined || isTo(mail, to))
      return reply.code(204).send()
    },
  )
  app.get<{ Params: { id: string } }>('/api/messages/:id', async ({ params }, reply) => {
    reply.header('cache-control', 'no-store')
    return found(mails.get(params.id))
  })
  app.delete<{ Params: { id: string } }>('/api/messages/:id', async ({ params }, reply) => {
    const { id } = found(mails.get(params.id))
    mails.remove(mail => mail.id === id)
    return reply.code(204).send()
  })
  app.post<{ Params: { id: string }; Body: { words: string } }>(
    '/api/messages/:id/replies',
    { schema: { body: replySchema } },
    async ({ params, body }, reply) => {
      if (!(await sendReply(found(mails.get(params.id)), body.words)))
        throw new AppError('mailbox.not_received')
      return reply.code(204).send()
    },
  )
  app.get<{ Params: { id: string } }>('/messages/:id/html', async ({ params }, reply) => {
    const { html } = found(mails.get(params.id))
    if (html === null) throw new AppError('mailbox.not_found')
    // Links must open in the whole window: the frame cannot load other sites.
    const document = `<!doctype html><base target="_top">${html}`
    return sendPart(reply, 'text/html; charset=utf-8', MAIL_POLICY, document)
  })
  return app
}

export interface MailboxOptions {
  readonly mails: MailStore
  readonly logger: Logger
  readonly isReceiving: () => boolean
  readonly sendReply: SendReply
  /** Rejects requests for any host name but this machine's own. */
  readonly loopbackOnly: boolean
}

const errors: ErrorTable = {
  'mailbox.not_found': { status: 404, title: 'No such mail', detail: 'This mail does not exist any more.' },
  'mailbox.not_received': {
    status: 502,
    title: 'Reply not received',
    detail: 'Lapwing did not receive this reply. Only texts have replies, and Lapwing must be running.',
  },
  'mailbox.wrong_host': {
    status: 421,
    title: 'Wrong address',
    detail: 'The mailbox only answers on localhost and 127.0.0.1.',
  },
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]', '::1']

const pageFiles = [
  { address: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { address: '/mailbox.css', file: 'mailbox.css', type: 'text/css; charset=utf-8' },
  { address: '/mailbox.js', file: 'mailbox.js', type: 'text/javascript; charset=utf-8' },
]

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Policy for content of other authors. No script runs and nothing is fetched. Even opened alone, the mail has
 * no access to the mailbox's origin. The mailbox may frame it, and its links work.
 */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation"

const querySchema = {
  type: 'object',
  properties: { to: { type: 'string', maxLength: 320 }, q: { type: 'string', maxLength: 320 } },
}

const replySchema = {
  type: 'object',
  required: ['words'],
  properties: { words: { type: 'string', maxLength: 160 } },
}

function sendPart(reply: FastifyReply, type: string, policy: string, content: string | Buffer) {
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    .type(type)
    .send(content)
}

function found(mail: Mail | undefined): Mail {
  if (mail === undefined) throw new AppError('mailbox.not_found')
  return mail
}

function summary({ id, receivedAt, from, to, subject, text, html }: Mail) {
  return { id, receivedAt, from, to, subject, preview: text.trim().slice(0, 140), hasHtml: html !== null }
}
