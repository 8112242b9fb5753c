import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from '../database.ts'

/**
 * A statement that is run often: its text is put together once, and its plan kept by the server. Gives
 * the rows for the values of `$1`, `$2`, …
 */
export function statement<Row>(
  text: string,
): (db: Kysely<Database>, values: readonly unknown[]) => Promise<readonly Row[]> {
  return async (db, values) => {
    const query = CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>
    return (await db.executeQuery(query)).rows
  }
}
