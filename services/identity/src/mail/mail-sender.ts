import { Counter } from '@lapwing/metrics'
import { createTransport, type Transporter } from 'nodemailer'
import {
  createOutboxSender,
  OUTCOMES,
  type OutboxSender,
  type OutboxSenderOptions,
} from '../outbox/outbox-sender.ts'
import { mailLabel, type OutgoingMail } from './mail-outbox.ts'

export interface MailSenderOptions
  extends Pick<
    OutboxSenderOptions<OutgoingMail>,
    'db' | 'cipher' | 'deliver' | 'now' | 'logger' | 'pollMs'
  > {}

const outcomes = new Counter({
  name: 'lapwing_mails_total',
  help: 'Tries to send a mail: sent, failed (tried again) or rejected permanently. Expired: given up unsent.',
  labelNames: ['outcome'],
})
/** Prometheus sees an increase only of a counter that it has read before. */
for (const outcome of OUTCOMES) outcomes.inc({ outcome }, 0)

/** Creates a sender of the mails in the outbox; see `createOutboxSender`. */
export function createMailSender(options: MailSenderOptions): OutboxSender {
  return createOutboxSender({
    ...options,
    outbox: { table: 'mail_outbox', id: 'mail_id' },
    labelOf: mailLabel,
    explain: error => ({
      isFinal: isRejectedPermanently(error as DeliveryError),
      isCertainlyUnsent: isCertainlyUnsent(error as DeliveryError),
      reason: errorCode(error),
    }),
    count: (outcome, number) => outcomes.inc({ outcome }, number),
    what: 'mail',
  })
}

/** Fields of nodemailer's delivery errors. */
interface DeliveryError {
  readonly code?: string
  /** Status code of the server's answer, if it answered. */
  readonly responseCode?: number
  /** The command that the server answered. */
  readonly command?: string
  readonly syscall?: string
  readonly timeoutType?: string
}

/** Returns whether the server rejected this mail permanently. Rejecting all mails can be temporary. */
function isRejectedPermanently({ responseCode = 0, command }: DeliveryError): boolean {
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}

/** Returns whether the server rejected the mail or was never reached. */
function isCertainlyUnsent({ code = '', responseCode, syscall, timeoutType = '' }: DeliveryError): boolean {
  return (
    responseCode !== undefined ||
    syscall === 'connect' ||
    ['EDNS', 'ETLS', 'EAUTH', 'ECONNREFUSED'].includes(code) ||
    ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'].includes(timeoutType)
  )
}

/** Returns only the code of a mail server's error, because its text repeats addresses. */
function errorCode(error: unknown): string {
  const { code, responseCode } = error as DeliveryError
  return String(responseCode ?? code ?? (error as Error).name)
}

/** Creates a client of an SMTP server. Every step of the conversation has a time-out. */
export function createSmtpDelivery(url: URL, from: string) {
  const transport: Transporter = createTransport({
    url: url.href,
    pool: true,
    maxConnections: 2,
    // Only the outbox retries.
    maxRequeues: 0,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    dnsTimeout: 5_000,
    // Mails hold only texts, so no content may be read from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never)
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'lapwing.invalid'
  return {
    async deliver(mailId: string, mail: OutgoingMail): Promise<void> {
      await transport.sendMail({
        from,
        // As an object the address is one mailbox, never a list.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // The same at each try, so that a mailbox can recognise a repetition.
        messageId: `<${mailId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => transport.close(),
  }
}
