import { type EventPayload, enqueueEvent } from '@lapwing/events'
import type { Transaction } from 'kysely'
import type { Database } from './database.ts'

/** What each service is told of, where the configuration has an address for it. */
const wanted = {
  identity: ['consentChanged', 'accountDeleted'],
  leaderboard: ['usernameChanged', 'accountDeleted'],
  upload: ['accountDeleted'],
  ingest: ['accountDeleted'],
} as const satisfies Readonly<Record<string, readonly EventPayload['case'][]>>

export type SubscriberName = keyof typeof wanted

/** Writes an event in the transaction of its change, for those who want it. */
export type Publish = (trx: Transaction<Database>, payload: EventPayload) => Promise<void>

/** @param known who has an address; what nobody is sent is not kept */
export function createPublish(known: readonly SubscriberName[], now: () => Date): Publish {
  return async (trx, payload) => {
    const subscribers = known.filter(name =>
      (wanted[name] as readonly EventPayload['case'][]).includes(payload.case),
    )
    if (subscribers.length > 0) await enqueueEvent(trx as never, payload, { subscribers, now: now() })
  }
}
