import type { Level, Reading } from './levels.ts'

/** Messages of an outbox that wait for one receiver. */
export interface Waiting {
  readonly receiver: string
  readonly messages: number
  /** Age of the oldest one in seconds. */
  readonly oldestS: number
}

/**
 * Returns the levels of an outbox: its messages and the age of the oldest one. Every process of a service reads
 * the same table, so a query over several processes takes the maximum.
 */
export function outboxLevels(outbox: string, read: () => Promise<readonly Waiting[]>): readonly Level[] {
  const labels = ['outbox', 'receiver']
  const readings = async (fieldOf: (row: Waiting) => number): Promise<readonly Reading[]> =>
    (await read()).map(row => ({ labels: { outbox, receiver: row.receiver }, value: fieldOf(row) }))
  return [
    {
      name: 'lapwing_outbox_messages',
      help: 'Messages of an outbox that are not delivered yet.',
      labels,
      validForMs: QUERY_VALID_FOR_MS,
      read: () => readings(({ messages }) => messages),
    },
    {
      name: 'lapwing_outbox_oldest_seconds',
      help: 'Age of the oldest message of an outbox that is not delivered yet.',
      labels,
      validForMs: QUERY_VALID_FOR_MS,
      read: () => readings(({ oldestS }) => oldestS),
    },
  ]
}

/** Two Prometheus servers that scrape alternately cause no more queries than one. */
export const QUERY_VALID_FOR_MS = 10_000
