import { type Level, outboxLevels } from '@lapwing/metrics'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Returns the lag of the mails and texts that wait for their server. */
export function messageLevels(db: Db): readonly Level[] {
  return outboxLevels('messages', async () => {
    const { rows } = await sql<{ receiver: string; messages: number; oldestS: number | null }>`
      select 'mail server' as receiver, count(*)::int as messages,
        extract(epoch from now() - min(created_at))::float8 as "oldestS"
      from mail_outbox where finished_at is null
      union all
      select 'messaging provider', count(*)::int, extract(epoch from now() - min(created_at))::float8
      from text_outbox where finished_at is null`.execute(db)
    return rows.map(row => ({ ...row, oldestS: row.oldestS ?? 0 }))
  })
}
