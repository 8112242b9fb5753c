import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'

/** The payment provider's name for a person; null where they never went to its page. */
export async function findCustomer(db: Kysely<Database>, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customer')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.customer_id ?? null
}
