import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/internal'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/**
 * Returns which accounts are verified. ingest asks it before an account may vote or outweigh another
 * one (D-11, D-27). A locked account counts as not verified.
 */
export function findPeople({ db }: Deps): Handlers<operations>['findPeople'] {
  return async request => {
    const userIds = (request.query.user_id ?? []).slice(0, MAX_PEOPLE)
    const { rows } = await sql<{ user_id: string; created_at: Date; is_verified: boolean }>`
      select user_id, created_at, locked_at is null and exists (
        select from email where email.user_id = person.user_id and email.verified) as is_verified
      from person where user_id = any(${userIds})`.execute(db)
    return { people: rows.map(row => ({ ...row, created_at: row.created_at.toISOString() })) }
  }
}

/** Limits the work of one answer. The URL of a request holds no more ids. */
const MAX_PEOPLE = 100
