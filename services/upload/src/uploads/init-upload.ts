import { randomUUID } from 'node:crypto'
import { networkDigest } from '@lapwing/auth'
import { acquireAccountLock, isDeleted, newId } from '@lapwing/db'
import { AppError } from '@lapwing/http'
import { ibtLimits } from '@lapwing/telemetry'
import type { Deps, HandlerOf } from '../deps.ts'
import { countOpen, insertSession, type NewSession } from './session.repository.ts'
import { storeUnavailable } from './store-unavailable.ts'
import { FORM_MINUTES, KEY_PREFIX, MAX_OPEN } from './upload-limits.ts'

type Needs = Pick<Deps, 'db' | 'store' | 'storeWatch' | 'requirePrincipal' | 'now' | 'internalKey'>

/** Checks the announced file, and replies with the form with which the store accepts exactly this file. */
export function initUpload(needs: Needs): HandlerOf<'initUpload'> {
  const { db, store, storeWatch, requirePrincipal, now, internalKey } = needs
  return async request => {
    const { userId } = await requirePrincipal(request)
    const { filename, size } = request.body
    if (!filename.toLowerCase().endsWith('.ibt')) throw new AppError('upload.wrong_type')
    if (size === 0) throw new AppError('upload.empty')
    if (size > ibtLimits.MAX_FILE_BYTES) throw new AppError('upload.too_large')
    // Signing needs no store. A form for a store that is down would fail later, with a worse message.
    if (!(await storeWatch.isUp())) throw storeUnavailable()

    const createdAt = now()
    const session: NewSession = {
      id: newId(createdAt.getTime()),
      userId,
      key: `${KEY_PREFIX}${randomUUID()}`,
      size,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + FORM_MINUTES * 60_000),
      network: networkDigest(request, internalKey, 'upload'),
    }
    await db.transaction().execute(async trx => {
      await acquireAccountLock(trx, userId)
      if (await isDeleted(trx, userId)) throw new AppError('upload.unauthorized')
      const { open, firstEnds } = await countOpen(trx, userId, createdAt)
      if (open >= MAX_OPEN) {
        const seconds = Math.max(1, Math.ceil((firstEnds!.getTime() - createdAt.getTime()) / 1000))
        throw new AppError('upload.too_many_open', { headers: { 'retry-after': String(seconds) } })
      }
      await insertSession(trx, session)
    })
    const { url, fields } = await store.presignPost({
      key: session.key,
      size,
      contentType: 'application/octet-stream',
      expiresInS: FORM_MINUTES * 60,
    })
    return { sessionId: session.id, key: session.key, url, fields: { ...fields } }
  }
}
