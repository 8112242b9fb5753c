import { randomUUID } from 'node:crypto'
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { type Event, EventSchema } from '@lapwing/contracts/events.pb'
import { traceparent } from '@lapwing/tracing'
import { sql, type Transaction } from 'kysely'

/** One of the payloads of `proto/lapwing/events`. */
export type EventPayload = Exclude<Event['payload'], { case: undefined }>

/** A payload as its publisher writes it, without the message's type name. */
export type NewEvent = Exclude<
  MessageInitShape<typeof EventSchema>['payload'],
  { case?: undefined } | undefined
>

/**
 * Writes an event in the transaction of its change: both are committed or neither. Writes one delivery row
 * for each subscriber, so that one that is down does not delay the others.
 *
 * @returns the event's id
 */
export async function enqueueEvent(
  trx: Transaction<never> | Transaction<unknown>,
  payload: NewEvent,
  { subscribers, now }: { readonly subscribers: readonly string[]; readonly now: Date },
): Promise<string> {
  const id = randomUUID()
  const event = create(EventSchema, {
    id,
    occurredAtMs: BigInt(now.getTime()),
    traceparent: traceparent() ?? '',
    payload,
  })
  const untyped = trx as Transaction<unknown>
  await sql`insert into event_outbox (id, payload) values (${id}, ${Buffer.from(toBinary(EventSchema, event))})`.execute(
    untyped,
  )
  for (const subscriber of subscribers) {
    await sql`insert into event_delivery (event_id, subscriber) values (${id}, ${subscriber})`.execute(
      untyped,
    )
  }
  return id
}
