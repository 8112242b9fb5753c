import { AppError } from '@lapwing/http'
import type { Deps, HandlerOf } from '../deps.ts'
import { answerIngest } from './answer-ingest.ts'
import { findIngest } from './ingest.repository.ts'

/** Answers with progress or outcome of an own ingest; 404 for that of another account, as for none. */
export function getIngest({
  db,
  requirePrincipal,
}: Pick<Deps, 'db' | 'requirePrincipal'>): HandlerOf<'getIngest'> {
  return async (request, reply) => {
    const { userId } = await requirePrincipal(request)
    const ingest = await findIngest(db, request.params.ingestId)
    if (ingest === null || ingest.userId !== userId) throw new AppError('ingest.not_found')
    return answerIngest(reply, ingest)
  }
}
