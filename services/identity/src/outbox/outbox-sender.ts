import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Cipher } from '../crypto/cipher.ts'
import type { Db } from '../database.ts'

export interface OutboxSender {
  /** Reads the outbox now instead of at the next poll. */
  wake(): void
  close(): Promise<void>
}

/** How a try ended. Expired: the message was given up unsent. */
export const OUTCOMES = ['sent', 'failed', 'rejected', 'expired'] as const

/** How the delivery of a message failed. */
export interface DeliveryFailure {
  /** The receiver refuses this message in any further try. */
  readonly isFinal: boolean
  /** The message did not arrive. Otherwise it may have arrived, and is repeated later. */
  readonly isCertainlyUnsent: boolean
  /** A code for the log, without any text of the receiver: such texts repeat addresses. */
  readonly reason: string
}

export interface OutboxSenderOptions<Message> {
  readonly db: Db
  readonly cipher: Cipher
  /** Both tables have the same columns, except the id. */
  readonly outbox:
    | { readonly table: 'mail_outbox'; readonly id: 'mail_id' }
    | { readonly table: 'text_outbox'; readonly id: 'text_id' }
  /** Label that the content is sealed with. */
  readonly labelOf: (id: string) => string
  readonly deliver: (id: string, message: Message) => Promise<void>
  readonly explain: (error: unknown) => DeliveryFailure
  readonly count: (outcome: (typeof OUTCOMES)[number], number: number) => void
  /** What is sent, in the log: "mail" or "text". */
  readonly what: string
  readonly now: () => Date
  readonly logger: Logger
  readonly pollMs?: number
}

/** Messages of one round, which are sent concurrently. */
const BATCH_SIZE = 10
/** Milliseconds in which no other process sends a claimed message: longer than a slow receiver needs. */
const LEASE_MS = 2 * 60_000
const MAX_PAUSE_MS = 5 * 60_000
/** Milliseconds before a message that may have arrived is sent again. */
const UNCERTAIN_PAUSE_MS = 60_000

interface Claimed {
  readonly id: string
  readonly kind: string
  readonly content_sealed: Buffer
  readonly attempts: number
}

/**
 * Creates a sender that sends the messages of an outbox at least once. A failed message is retried after
 * 1, 2, 4 … seconds, at most five minutes, until it expires. A message that may have arrived is retried after
 * a minute or more. The content of a sent message is deleted immediately, because it can hold a way to sign in.
 */
export function createOutboxSender<Message>(options: OutboxSenderOptions<Message>): OutboxSender {
  const { db, cipher, outbox, labelOf, deliver, explain, count, what, now, logger } = options
  const table = sql.table(outbox.table)
  const id = sql.ref(outbox.id)
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
        logger.warn({ err: error }, `the ${what} outbox could not be read`)
      }
    }
  }

  /** Claims due messages for this process, so that no two processes send the same one. */
  async function claim(): Promise<readonly Claimed[]> {
    const at = now()
    const expired = await sql`update ${table} set finished_at = ${at}, content_sealed = null
      where finished_at is null and worthless_at <= ${at}`.execute(db)
    count('expired', Number(expired.numAffectedRows ?? 0))
    const { rows } = await sql<Claimed>`
      update ${table} set attempts = attempts + 1, next_attempt_at = ${new Date(at.getTime() + LEASE_MS)}
      where ${id} in (
        select ${id} from ${table} where finished_at is null and next_attempt_at <= ${at}
        order by next_attempt_at limit ${BATCH_SIZE} for update skip locked)
      returning ${id}::text as id, kind, content_sealed, attempts`.execute(db)
    return rows
  }

  async function send(row: Claimed): Promise<void> {
    try {
      await deliver(row.id, JSON.parse(cipher.open(row.content_sealed, labelOf(row.id))) as Message)
      count('sent', 1)
      await finish(row.id)
    } catch (error) {
      const { isFinal, isCertainlyUnsent, reason } = explain(error)
      count(isFinal ? 'rejected' : 'failed', 1)
      const leastMs = isCertainlyUnsent ? 0 : UNCERTAIN_PAUSE_MS
      const pauseMs = Math.max(leastMs, Math.min(1_000 * 2 ** (row.attempts - 1), MAX_PAUSE_MS))
      logger.warn(
        { kind: row.kind, attempts: row.attempts, reason },
        isFinal ? `a ${what} was rejected permanently` : `a ${what} could not be sent; it will be retried`,
      )
      if (isFinal) await finish(row.id)
      else {
        await sql`update ${table} set next_attempt_at = ${new Date(now().getTime() + pauseMs)}
          where ${id} = ${row.id}`.execute(db)
      }
    }
  }

  async function finish(messageId: string): Promise<void> {
    await sql`update ${table} set finished_at = ${now()}, content_sealed = null
      where ${id} = ${messageId}`.execute(db)
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
