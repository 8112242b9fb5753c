import { createOutboxTables } from '@lapwing/events'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createOutboxTables(db)
}
