import { CompiledQuery } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Prepares a statement that runs often: its text is built once, and the server caches its plan. Returns a
 * function that runs it with the values of `$1`, `$2`, …
 */
export function statement<Row>(
  text: string,
): (db: Db, values: readonly unknown[]) => Promise<readonly Row[]> {
  return async (db, values) => {
    const query = CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>
    return (await db.executeQuery(query)).rows
  }
}
