import { sql } from 'kysely'
import type { SweepNeeds } from './sweep-needs.ts'

/** Removes the objects that are listed in `object_removal`. */
export async function removeObjects({ db, store }: Pick<SweepNeeds, 'db' | 'store'>): Promise<void> {
  for (;;) {
    const removed = await db.transaction().execute(async trx => {
      const { rows } = await sql<{ key: string }>`
        delete from object_removal where key in (
          select key from object_removal order by created_at limit ${AT_ONCE} for update skip locked)
        returning key`.execute(trx)
      // If the store fails, the transaction rolls back and the rows stay.
      if (rows.length > 0) await store.delete(rows.map(row => row.key))
      return rows.length
    })
    if (removed < AT_ONCE) return
  }
}

const AT_ONCE = 100
