import { type Level, outboxLevels } from '@lapwing/metrics'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Returns the lag of the mails and texts that wait for their server. */
export function messageLevels(db: Db): readonly Level[] {
  return [
    ...levelsOf(db, 'mail_outbox', 'mails', 'mail server'),
    ...levelsOf(db, 'text_outbox', 'texts', 'messaging provider'),
  ]
}

function levelsOf(
  db: Db,
  table: 'mail_outbox' | 'text_outbox',
  name: string,
  receiver: string,
): readonly Level[] {
  return outboxLevels(name, async () => {
    const { rows } = await sql<{ messages: number; oldestS: number | null }>`
      select count(*)::int as messages, extract(epoch from now() - min(created_at))::float8 as "oldestS"
      from ${sql.table(table)} where finished_at is null`.execute(db)
    return rows.map(({ messages, oldestS }) => ({ receiver, messages, oldestS: oldestS ?? 0 }))
  })
}
