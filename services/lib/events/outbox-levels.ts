import { type Level, outboxLevels, type Waiting } from '@lapwing/metrics'
import { type Kysely, sql } from 'kysely'

/**
 * Returns the lag of a service's events, by subscriber: 0 for one of `subscribers` without events. One that is no
 * longer among them has a value while events for it are stored.
 */
export function eventLevels(
  db: Kysely<never> | Kysely<unknown>,
  subscribers: readonly string[],
): readonly Level[] {
  return outboxLevels('events', async () => {
    const { rows } = await sql<Waiting>`
      select delivery.subscriber as receiver, count(*)::int as messages,
        extract(epoch from now() - min(outbox.created_at))::float8 as "oldestS"
      from event_delivery delivery join event_outbox outbox on outbox.id = delivery.event_id
      group by delivery.subscriber`.execute(db as Kysely<unknown>)
    const idle = subscribers.filter(name => !rows.some(({ receiver }) => receiver === name))
    return [...rows, ...idle.map(receiver => ({ receiver, messages: 0, oldestS: 0 }))]
  })
}
