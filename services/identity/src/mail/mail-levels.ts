import { type Level, outboxLevels } from '@lapwing/metrics'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Returns the lag of the mails that wait for the mail server. */
export function mailLevels(db: Db): readonly Level[] {
  return outboxLevels('mails', async () => {
    const { rows } = await sql<{ messages: number; oldestS: number | null }>`
      select count(*)::int as messages, extract(epoch from now() - min(created_at))::float8 as "oldestS"
      from mail_outbox where finished_at is null`.execute(db)
    return rows.map(({ messages, oldestS }) => ({ receiver: 'mail server', messages, oldestS: oldestS ?? 0 }))
  })
}
