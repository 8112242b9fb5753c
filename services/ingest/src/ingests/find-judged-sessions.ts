import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/internal'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Returns the upload sessions with a file that waits to be judged or is judged now: upload removes none of them. */
export function findJudgedSessions({ db }: Pick<Deps, 'db'>): Handlers<operations>['findJudgedSessions'] {
  return async ({ body }) => {
    const rows = await db
      .selectFrom('ingest')
      .select('upload_session_id')
      .where(sql<boolean>`upload_session_id = any(${body.session_ids}::uuid[])`)
      .where('state', 'in', ['waiting', 'running'])
      .execute()
    return { session_ids: rows.map(row => row.upload_session_id) }
  }
}
