import type { ClientBase } from 'pg'

/** Comment of a schema while a restore fills it. */
export const UNFINISHED_RESTORE = 'a restore has not ended'

/** Returns whether a restore has begun to fill the schema and has not ended. False if there is no such schema. */
export async function isRestoreUnfinished(client: ClientBase, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(to_regnamespace($1)::oid, 'pg_namespace') as comment`,
    [schema],
  )
  return rows[0]!.comment === UNFINISHED_RESTORE
}

/** Marks the schema, so that no service migrates or uses it before the restore has ended. Or ends that. */
export async function markRestore(client: ClientBase, schema: string, isUnfinished: boolean): Promise<void> {
  const comment = isUnfinished ? client.escapeLiteral(UNFINISHED_RESTORE) : 'null'
  await client.query(`comment on schema ${client.escapeIdentifier(schema)} is ${comment}`)
}
