import { Counter } from '@lapwing/metrics'
import type { Updateable } from 'kysely'
import { createTransport, type Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { Cipher } from '../crypto/cipher.ts'
import type { Database, Db } from '../database.ts'
import { mailLabel, type OutgoingMail } from './mail-outbox.ts'

export interface MailSender {
  /** Reads the outbox now instead of at the next poll. */
  wake(): void
  close(): Promise<void>
}

export interface MailSenderOptions {
  readonly db: Db
  readonly cipher: Cipher
  readonly deliver: (mailId: string, mail: OutgoingMail) => Promise<void>
  readonly now: () => Date
  readonly logger: Logger
  readonly pollMs?: number
}

const outcomes = new Counter({
  name: 'lapwing_mails_total',
  help: 'Tries to send a mail: sent, failed (tried again) or rejected permanently. Expired: given up unsent.',
  labelNames: ['outcome'],
})
/** Prometheus sees an increase only of a counter that it has read before. */
for (const outcome of ['sent', 'failed', 'rejected', 'expired']) outcomes.inc({ outcome }, 0)

/** Mails of one round, which are sent concurrently. */
const BATCH_SIZE = 10
/** Milliseconds in which no other process sends a claimed mail: longer than a slow server needs. */
const LEASE_MS = 2 * 60_000
const MAX_PAUSE_MS = 5 * 60_000
/** Milliseconds before a mail that may have arrived is sent again. */
const UNCERTAIN_PAUSE_MS = 60_000

/**
 * Creates a sender that sends the mails of the outbox at least once. A failed mail is retried after
 * 1, 2, 4 … seconds, at most five minutes, until it expires. A mail that may have arrived is retried after
 * a minute or more. The content of a sent mail is deleted immediately, because it can hold a way to sign in.
 */
export function createMailSender(options: MailSenderOptions): MailSender {
  const { db, cipher, deliver, now, logger } = options
  let isClosed = false
  let isRequested = false
  let round: Promise<void> | null = null
  const timer = setInterval(() => wake(), options.pollMs ?? 2_000)
  timer.unref()

  function wake(): void {
    isRequested = true
    round ??= rounds().finally(() => {
      round = null
      if (isRequested && !isClosed) wake()
    })
  }

  async function rounds(): Promise<void> {
    while (isRequested && !isClosed) {
      isRequested = false
      try {
        const due = await claim()
        if (due.length === BATCH_SIZE) isRequested = true
        await Promise.all(due.map(send))
      } catch (error) {
        logger.warn({ err: error }, 'the mail outbox could not be read')
      }
    }
  }

  /** Claims due mails for this process, so that no two processes send the same mail. */
  async function claim() {
    const at = now()
    const { numUpdatedRows } = await db
      .updateTable('mail_outbox')
      .set({ finished_at: at, content_sealed: null })
      .where('finished_at', 'is', null)
      .where('worthless_at', '<=', at)
      .executeTakeFirst()
    outcomes.inc({ outcome: 'expired' }, Number(numUpdatedRows))
    return db
      .updateTable('mail_outbox')
      .set(eb => ({ attempts: eb('attempts', '+', 1), next_attempt_at: new Date(at.getTime() + LEASE_MS) }))
      .where('mail_id', 'in', eb =>
        eb
          .selectFrom('mail_outbox')
          .select('mail_id')
          .where('finished_at', 'is', null)
          .where('next_attempt_at', '<=', at)
          .orderBy('next_attempt_at')
          .limit(BATCH_SIZE)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['mail_id', 'kind', 'content_sealed', 'attempts'])
      .execute()
  }

  async function send(row: Awaited<ReturnType<typeof claim>>[number]): Promise<void> {
    try {
      const mail = JSON.parse(cipher.open(row.content_sealed!, mailLabel(row.mail_id))) as OutgoingMail
      await deliver(row.mail_id, mail)
      outcomes.inc({ outcome: 'sent' })
      await update(row.mail_id, { finished_at: now(), content_sealed: null })
    } catch (error) {
      const isFinal = isRejectedPermanently(error as DeliveryError)
      outcomes.inc({ outcome: isFinal ? 'rejected' : 'failed' })
      const leastMs = isCertainlyUnsent(error as DeliveryError) ? 0 : UNCERTAIN_PAUSE_MS
      const pauseMs = Math.max(leastMs, Math.min(1_000 * 2 ** (row.attempts - 1), MAX_PAUSE_MS))
      logger.warn(
        { kind: row.kind, attempts: row.attempts, reason: errorCode(error) },
        isFinal
          ? 'the mail server rejected a mail permanently'
          : 'a mail could not be sent; it will be retried',
      )
      const nextAttemptAt = new Date(now().getTime() + pauseMs)
      await update(
        row.mail_id,
        isFinal ? { finished_at: now(), content_sealed: null } : { next_attempt_at: nextAttemptAt },
      )
    }
  }

  async function update(mailId: string, changes: Updateable<Database['mail_outbox']>): Promise<void> {
    await db.updateTable('mail_outbox').set(changes).where('mail_id', '=', mailId).execute()
  }

  return {
    wake,
    async close() {
      isClosed = true
      clearInterval(timer)
      await round
    },
  }
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
