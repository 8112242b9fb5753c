import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildMailbox } from './app.ts'
import { type MailStore, openMailStore } from './mail-store.ts'
import { receiveMail } from './receive-mail.ts'
import type { SendReply } from './send-reply.ts'

/** Receives mail on 127.0.0.1 and builds the app that shows it. Closing the app stops both. */
export async function startMailbox(options: {
  readonly folder: string
  /** 0 for any free port. */
  readonly smtpPort: number
  readonly loopbackOnly: boolean
  readonly logger?: Logger
  readonly maxMails?: number
  /** Sends the replies to texts. If left out, nothing receives them. */
  readonly sendReply?: SendReply
}): Promise<{ readonly app: FastifyInstance; readonly smtpPort: number; readonly mails: MailStore }> {
  const { folder, loopbackOnly, maxMails = 500, logger = createLogger('mailbox', 'silent') } = options
  const { sendReply = async () => false } = options
  const mails = openMailStore({ folder, maxMails, maxBytes: 64 * 1024 * 1024 })
  const smtp = receiveMail({
    maxBytes: 1024 * 1024,
    onMail: mail => mails.add(mail),
    onError: error => logger.warn({ err: error }, 'a mail was not stored'),
  })
  const listening = smtp.listen(options.smtpPort, '127.0.0.1')
  await once(listening, 'listening')
  const app = buildMailbox({ mails, logger, sendReply, loopbackOnly, isReceiving: () => listening.listening })
  app.addHook('onClose', () => new Promise<void>(resolve => smtp.close(() => resolve())))
  return { app, smtpPort: (listening.address() as AddressInfo).port, mails }
}
