import type pg from 'pg'
import type { Schema } from '../schemas.ts'

export interface Table {
  readonly name: string
  /** Those that are stored; Postgres computes the others. */
  readonly columns: readonly string[]
}

/** Tables of the migrator. A restore fills them by migrating. */
const OF_MIGRATOR = ['kysely_migration', 'kysely_migration_lock']

/** Returns the tables of a schema, each after those that its rows refer to. Throws if tables refer to each other. */
export async function listTables(client: pg.Client, schema: Schema): Promise<readonly Table[]> {
  const { rows } = await client.query<Table & { needs: readonly string[] }>(
    `select relname::text as name,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns,
      array(select distinct confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as needs
    from pg_class
    where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and not relispartition
      and relname <> all($2) order by relname`,
    [schema, OF_MIGRATOR],
  )
  const ordered: Table[] = []
  const isLoaded = (name: string) => ordered.some(table => table.name === name)
  for (let waiting = rows; waiting.length > 0; ) {
    const ready = waiting.filter(({ needs }) => needs.every(isLoaded))
    if (ready.length === 0) throw new Error(`tables of ${schema} refer to each other in a ring`)
    ordered.push(...ready.map(({ name, columns }) => ({ name, columns })))
    waiting = waiting.filter(table => !ready.includes(table))
  }
  return ordered
}

/** Returns the last value of each sequence of a schema that has one. */
export async function readSequences(
  client: pg.Client,
  schema: Schema,
): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
    where schemaname = $1 and last_value is not null order by 1`,
    [schema],
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Returns the names of the migrations that a schema has. */
export async function readMigrations(client: pg.Client, schema: Schema): Promise<readonly string[]> {
  const table = `${schema}.kysely_migration`
  const { rows } = await client.query<{ name: string }>(`select name from ${table} order by name`)
  return rows.map(({ name }) => name)
}
