import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { readSession, requireOwnSession } from '../sessions/require-session.ts'
import { requireComplete, requireCompleteToRead } from '../sessions/second-factor.ts'
import { clientType, recordEvent } from './connected-app.repository.ts'
import { endAuthorizationsOf } from './end-authorizations.ts'

/** Lists the apps that the person has connected, also those that are turned off. */
export function getConnectedApps({ db, readClient, settings, now }: Deps): HandlerOf<'getConnectedApps'> {
  return async request => {
    const session = await readSession(db, readClient(request), now())
    await requireCompleteToRead({ trx: db, ...settings }, session)
    const apps = await db
      .selectFrom('consent_grant')
      .innerJoin('connected_app', 'connected_app.client_id', 'consent_grant.client_id')
      .select([
        'connected_app.client_id',
        'connected_app.name',
        'connected_app.description',
        'connected_app.secret_hash as secretHash',
        'consent_grant.scopes',
      ])
      .where('consent_grant.user_id', '=', session.userId)
      .orderBy('connected_app.name')
      .orderBy('connected_app.client_id')
      .execute()
    return answer(request, {
      connected_apps: apps.map(({ client_id, name, description, secretHash, scopes }) => ({
        connected_app_id: client_id,
        name,
        description,
        client_type: clientType({ secretHash }),
        scopes_granted: scopes.join(' '),
      })),
    })
  }
}

/** Withdraws the consent of the person for an app. Its tokens end immediately. */
export function revokeConnectedApp({ change, readClient }: Deps): HandlerOf<'revokeConnectedApp'> {
  return async request => {
    const client = readClient(request)
    await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireComplete(work, session)
      const { userId } = session
      const withdrawn = await work.trx
        .deleteFrom('consent_grant')
        .where('user_id', '=', userId)
        .where('client_id', '=', request.params.id)
        .returning('client_id')
        .executeTakeFirst()
      if (withdrawn === undefined) throw new IdentityError('connected_app_not_found')
      await endAuthorizationsOf(work, userId, withdrawn.client_id)
      await recordEvent(work, 'consent_withdrawn', withdrawn.client_id, { userId })
    })
    return answer(request, {})
  }
}
