import { enqueueEvent, type NewEvent } from '@lapwing/events'
import type { Trx } from './database.ts'

/** Events that each service receives, if the configuration has its address. */
const EVENTS_BY_SUBSCRIBER = {
  identity: ['consentChanged', 'accountDeleted'],
  leaderboard: ['usernameChanged', 'accountDeleted'],
  upload: ['accountDeleted'],
  ingest: ['accountDeleted'],
} as const satisfies Readonly<Record<string, readonly NewEvent['case'][]>>

export type SubscriberName = keyof typeof EVENTS_BY_SUBSCRIBER

/** Writes an event to the outbox, in the transaction of its change. */
export type Publish = (trx: Trx, payload: NewEvent) => Promise<void>

/**
 * Creates a publisher. It stores no event that none of the subscribers receives.
 *
 * @param known the subscribers with an address
 */
export function createPublish(known: readonly SubscriberName[], now: () => Date): Publish {
  return async (trx, payload) => {
    const subscribers = known.filter(name =>
      (EVENTS_BY_SUBSCRIBER[name] as readonly NewEvent['case'][]).includes(payload.case),
    )
    if (subscribers.length > 0) await enqueueEvent(trx as never, payload, { subscribers, now: now() })
  }
}
