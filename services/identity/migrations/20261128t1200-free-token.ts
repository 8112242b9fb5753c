import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Checked, the reference would cost a link for a known address more time than one for an unknown one.
  // Who uses a token is looked up in any case, and the tokens of a deleted person are deleted with them.
  await sql`alter table token drop constraint token_user_id_fkey`.execute(db)
}
