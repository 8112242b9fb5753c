import type { Db } from '../database.ts'

/** Returns the payment provider's customer id of an account; null if it has none yet. */
export async function findCustomer(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customer')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.customer_id ?? null
}
