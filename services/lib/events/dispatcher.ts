import { fromBinary } from '@bufbuild/protobuf'
import { EventSchema } from '@lapwing/contracts/events.pb'
import { isTracing, withSpan } from '@lapwing/tracing'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { createEventDelivery } from './deliver-event.ts'

export interface Subscriber {
  readonly name: string
  /** Base address of the service. */
  readonly url: URL
}

export interface DispatcherOptions {
  readonly db: Kysely<never> | Kysely<unknown>
  readonly subscribers: readonly Subscriber[]
  /** Shared secret of at least 32 bytes, the same on both sides. */
  readonly key: Uint8Array
  readonly logger: Logger
  /** Milliseconds between two polls of the table without a `wake`. */
  readonly pollMs?: number
}

export interface Dispatcher {
  /** Polls immediately; call it after a transaction with an event has committed. */
  wake(): void
  close(): Promise<void>
}

/** Short, so that a service gets missed events soon after it is back. */
const LONGEST_PAUSE_MS = 5_000

/**
 * Delivers events at least once and in order: to each subscriber the oldest first, and the next one only
 * after it was accepted. Several processes of one service take turns with a lock for each subscriber, which
 * preserves the order. After a failure it waits 1, 2, 4, at most 5 s.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const deliver = createEventDelivery(options.key)
  const db = options.db as Kysely<unknown>
  let closed = false
  /** One for each subscriber's loop. */
  const wakers = new Set<() => void>()

  const wake = () => {
    for (const wakeRun of wakers) wakeRun()
  }

  /** Delivers one event to one subscriber. Returns false if there is none due or delivery failed. */
  async function deliverNext(subscriber: Subscriber): Promise<boolean> {
    return db.transaction().execute(async trx => {
      const lock = await sql<{ mine: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('event_delivery'), hashtext(${subscriber.name})) as mine`.execute(
        trx,
      )
      if (lock.rows[0]?.mine !== true) return false
      const { rows } = await sql<{
        position: string
        event_id: string
        payload: Buffer
        attempts: number
        due: boolean
      }>`
        select delivery.position, delivery.event_id, outbox.payload, delivery.attempts, delivery.next_attempt_at <= now() as due
        from event_delivery delivery join event_outbox outbox on outbox.id = delivery.event_id
        where delivery.subscriber = ${subscriber.name}
        order by delivery.position limit 1`.execute(trx)
      const next = rows[0]
      if (next === undefined || !next.due) return false
      const delivered = await post(subscriber, next.payload)
      if (!delivered) {
        const pauseMs = Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** Math.min(next.attempts, 5))
        await sql`update event_delivery set attempts = attempts + 1, next_attempt_at = now() + ${pauseMs} * interval '1 millisecond'
          where position = ${next.position}`.execute(trx)
        return false
      }
      await sql`delete from event_delivery where position = ${next.position}`.execute(trx)
      await sql`delete from event_outbox where id = ${next.event_id}
        and not exists (select from event_delivery where event_id = ${next.event_id})`.execute(trx)
      return true
    })
  }

  async function post(subscriber: Subscriber, payload: Buffer): Promise<boolean> {
    try {
      const status = await withSpan(
        { name: `deliver to ${subscriber.name}`, kind: 'producer', parent: parentOf(payload) },
        () => deliver(subscriber.url, payload),
      )
      if (status === 204) return true
      options.logger.warn({ subscriber: subscriber.name, status }, 'event was rejected')
    } catch (error) {
      options.logger.warn({ subscriber: subscriber.name, err: error }, 'event could not be delivered')
    }
    return false
  }

  /** Loops for one subscriber, independent of the others: one that does not answer delays no other. */
  async function run(subscriber: Subscriber): Promise<void> {
    let asked = false
    let wakeUp = () => {}
    wakers.add(() => {
      asked = true
      wakeUp()
    })
    while (!closed) {
      asked = false
      try {
        while (!closed && (await deliverNext(subscriber)));
      } catch (error) {
        options.logger.warn({ err: error }, 'events could not be read')
      }
      if (asked || closed) continue
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, options.pollMs ?? 1_000)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  const running = Promise.all(options.subscribers.map(run))
  return {
    wake,
    async close() {
      closed = true
      wake()
      await running
    },
  }
}

/** Returns the span that wrote the event, so that its delivery belongs to the same trace; null if none did. */
function parentOf(payload: Buffer): string | null {
  return isTracing() ? fromBinary(EventSchema, payload).traceparent : null
}
