import { createTransport, type Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db } from '../database.ts'
import { mailLabel, type OutgoingMail } from './mail-outbox.ts'

export interface MailSender {
  /** Looks for mails now rather than at the next round. */
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

/** Mails at once, and mails one round takes. */
const BATCH_SIZE = 10
/** Milliseconds during which a mail that is being sent is nobody else's: longer than a slow server takes. */
const LEASE_MS = 2 * 60_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** Before a mail is sent again that may have arrived: nobody gets one twice within a minute. */
const UNCERTAIN_PAUSE_MS = 60_000

/**
 * Sends the mails of the outbox at least once: one that could not be handed over is tried again
 * after 1, 2, 4 … seconds, at most five minutes, until it is worth nothing any more; one of which nobody
 * knows whether it was, after a minute or more. What was sent is forgotten at once, since it may hold a way
 * to sign in.
 */
export function createMailSender(options: MailSenderOptions): MailSender {
  const { db, cipher, deliver, now, logger } = options
  let closed = false
  let again = false
  let round: Promise<void> | null = null
  const timer = setInterval(() => wake(), options.pollMs ?? 2_000)
  timer.unref()

  function wake(): void {
    again = true
    round ??= rounds().finally(() => {
      round = null
      if (again && !closed) wake()
    })
  }

  async function rounds(): Promise<void> {
    while (again && !closed) {
      again = false
      try {
        const due = await claim()
        if (due.length === BATCH_SIZE) again = true
        await Promise.all(due.map(send))
      } catch (error) {
        logger.warn({ err: error }, 'the mail outbox could not be read')
      }
    }
  }

  /** Takes due mails for this process, so that two of them do not send one mail twice. */
  async function claim() {
    const at = now()
    await db
      .updateTable('mail_outbox')
      .set({ finished_at: at, content_sealed: null })
      .where('finished_at', 'is', null)
      .where('worthless_at', '<=', at)
      .execute()
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
      await db
        .updateTable('mail_outbox')
        .set({ finished_at: now(), content_sealed: null })
        .where('mail_id', '=', row.mail_id)
        .execute()
    } catch (error) {
      const isFinal = isRefused(error as DeliveryError)
      const leastMs = isSurelyUnsent(error as DeliveryError) ? 0 : UNCERTAIN_PAUSE_MS
      const pauseMs = Math.max(leastMs, Math.min(1_000 * 2 ** (row.attempts - 1), LONGEST_PAUSE_MS))
      logger.warn(
        { kind: row.kind, attempts: row.attempts, reason: errorCode(error) },
        isFinal ? 'a mail was refused for good' : 'a mail could not be sent; it is tried again',
      )
      await db
        .updateTable('mail_outbox')
        .set(
          isFinal
            ? { finished_at: now(), content_sealed: null }
            : { next_attempt_at: new Date(now().getTime() + pauseMs) },
        )
        .where('mail_id', '=', row.mail_id)
        .execute()
    }
  }

  return {
    wake,
    async close() {
      closed = true
      clearInterval(timer)
      await round
    },
  }
}

/** What nodemailer tells of a delivery that failed. */
interface DeliveryError {
  readonly code?: string
  /** Of the server's answer, where it gave one. */
  readonly responseCode?: number
  /** What the server answered to. */
  readonly command?: string
  readonly syscall?: string
  readonly timeoutType?: string
}

/** Whether the server does not take this mail, now or later. That it takes none at all may pass. */
function isRefused({ responseCode = 0, command }: DeliveryError): boolean {
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}

/** Whether the server answered that it did not take the mail, or was never reached. */
function isSurelyUnsent({ code = '', responseCode, syscall, timeoutType = '' }: DeliveryError): boolean {
  return (
    responseCode !== undefined ||
    syscall === 'connect' ||
    ['EDNS', 'ETLS', 'EAUTH', 'ECONNREFUSED'].includes(code) ||
    ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'].includes(timeoutType)
  )
}

/** Of a mail server's error only the code: its text repeats addresses. */
function errorCode(error: unknown): string {
  const { code, responseCode } = error as DeliveryError
  return String(responseCode ?? code ?? (error as Error).name)
}

/** Hands mails to an SMTP server; every step of the conversation has a time limit. */
export function createSmtpDelivery(url: URL, from: string) {
  const transport: Transporter = createTransport({
    url: url.href,
    pool: true,
    maxConnections: 2,
    // Whether and when a mail is sent again is the outbox's to say.
    maxRequeues: 0,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    dnsTimeout: 5_000,
    // Mails hold nothing but texts; a file or an address to read them from is never meant.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never)
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'lapwing.invalid'
  return {
    async deliver(mailId: string, mail: OutgoingMail): Promise<void> {
      await transport.sendMail({
        from,
        // One mailbox, never a list, whatever the address holds.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // The same at each try, so that a mailbox can tell a repetition.
        messageId: `<${mailId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => transport.close(),
  }
}
