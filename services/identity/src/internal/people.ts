import { createServiceTokenVerifier } from '@lapwing/auth'
import { isUnavailable } from '@lapwing/db'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'

/**
 * Adds `GET /internal/people?user_id=…&user_id=…` → `{ people: [{ user_id, created_at, is_verified }] }`.
 * ingest calls it before an account can vote or overrule another account (D-11, D-27). The answer has no
 * address and no name. Unknown ids are left out. A locked account counts as not verified.
 */
export function addPeople(app: FastifyInstance, { db, internalKey, now }: Deps): void {
  const verify = createServiceTokenVerifier(internalKey, 'identity', now)
  app.get<{ Querystring: { user_id?: string | string[] } }>('/internal/people', async (request, reply) => {
    if (!(await verify(request.headers.authorization))) throw new IdentityError('unauthorized_credentials')
    const userIds = [request.query.user_id ?? []].flat().slice(0, MAX_PEOPLE)
    const { rows } = await sql<{ user_id: string; created_at: Date; is_verified: boolean }>`
      select user_id, created_at, locked_at is null and exists (
        select from email where email.user_id = person.user_id and email.verified) as is_verified
      from person where user_id = any(${userIds})`
      .execute(db)
      .catch((error: unknown) => {
        throw isUnavailable(error)
          ? new IdentityError('service_unavailable', { cause: error, retryAfterS: 2 })
          : error
      })
    reply.header('cache-control', 'no-store')
    return { people: rows.map(row => ({ ...row, created_at: row.created_at.toISOString() })) }
  })
}

/** Bounds the work of one answer; a request's address has no room for more. */
const MAX_PEOPLE = 100
