import { readdirSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'

/**
 * Returns a check for `/readyz` that the database answers, and that its schema has every migration of this
 * version. Migrations of a later version may be there too, because each version runs on the next schema.
 * Returns a sentence if an operator must act. Rejects if the database is away.
 *
 * @param folder absolute path of the service's `migrations/`
 */
// biome-ignore lint/suspicious/noExplicitAny: several schemas have the table.
export function createSchemaCheck(db: Kysely<any>, folder: string): () => Promise<true | string> {
  const needed = migrationNames(folder)
  return async () => {
    try {
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
      const ran = new Set(rows.map(({ name }) => name))
      const missing = needed.filter(name => !ran.has(name))
      return missing.length === 0 || lacks(missing)
    } catch (error) {
      const code = String((error as { readonly code?: unknown }).code)
      // The table of migrations does not exist.
      if (code === '42P01') return lacks(needed)
      const problem = REFUSALS[code]
      if (problem === undefined) throw error
      return problem
    }
  }
}

function lacks(names: readonly string[]): string {
  const which = names.length === 1 ? `the migration ${names[0]}` : `${names.length} migrations`
  return `The schema lacks ${which} of this version: run its src/migrate.ts.`
}

const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the password of DATABASE_URL.',
  '28000': 'The database refuses the role of DATABASE_URL.',
  '3D000': 'The database that DATABASE_URL names does not exist.',
  '42501': 'The role of DATABASE_URL may not read the schema of this service.',
}

/** Returns the names of the migrations in a folder, in their order. */
export function migrationNames(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.ts'))
    .map(name => name.replace(/\.ts$/, ''))
    .sort()
}
