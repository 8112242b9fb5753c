import { recordEnded } from '../sessions/session.repository.ts'
import type { Work } from '../work.ts'

/** Ends one authorization with all its tokens. */
export async function endAuthorization(work: Work, authorizationId: string): Promise<void> {
  const rows = await work.trx
    .deleteFrom('app_authorization')
    .where('authorization_id', '=', authorizationId)
    .returning(['authorization_id as session_id', 'access_expires_at as jwt_expires_at'])
    .execute()
  await recordEnded(work, rows)
}

/** Ends the authorizations of a person, of one app if given. The consents stay. Lock the person first. */
export async function endAuthorizationsOf(work: Work, userId: string, clientId?: string): Promise<void> {
  let query = work.trx.deleteFrom('app_authorization').where('user_id', '=', userId)
  if (clientId !== undefined) query = query.where('client_id', '=', clientId)
  await recordEnded(
    work,
    await query
      .returning(['authorization_id as session_id', 'access_expires_at as jwt_expires_at'])
      .execute(),
  )
}

/** Ends the authorizations that all people gave to an app. */
export async function endAuthorizationsOfApp(work: Work, clientId: string): Promise<void> {
  const rows = await work.trx
    .deleteFrom('app_authorization')
    .where('client_id', '=', clientId)
    .returning(['authorization_id as session_id', 'access_expires_at as jwt_expires_at'])
    .execute()
  await recordEnded(work, rows)
}

/** Withdraws every consent of a person and ends all authorizations. */
export async function disconnectApps(work: Work, userId: string): Promise<void> {
  await work.trx.deleteFrom('consent_grant').where('user_id', '=', userId).execute()
  await endAuthorizationsOf(work, userId)
}
