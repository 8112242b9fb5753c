import type { Logger } from 'pino'
import type { Db } from './database.ts'

const EVERY_MS = 10 * 60_000

/** Starts the sweep that deletes expired rows. */
export function startSweeper(deps: { db: Db; now: () => Date; logger: Logger }): { close(): Promise<void> } {
  const timer = setInterval(() => {
    sweep(deps).catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'the sweep failed; it will be retried'),
    )
  }, EVERY_MS)
  timer.unref()
  return { close: async () => clearInterval(timer) }
}

/**
 * Deletes expired rows. Tokens and codes of mails and texts stay a day after their expiry, sent mails and texts
 * an hour.
 */
export async function sweep({ db, now }: { db: Db; now: () => Date }): Promise<void> {
  const at = now()
  const before = (hours: number) => new Date(at.getTime() - hours * 3_600_000)
  await db.deleteFrom('session').where('expires_at', '<', at).execute()
  await db.deleteFrom('revoked_session').where('jwt_expires_at', '<', before(1)).execute()
  await db.deleteFrom('token').where('expires_at', '<', before(24)).execute()
  // Nobody asks why an old challenge fails, and each opened dialog leaves one.
  await db.deleteFrom('token').where('kind', 'like', 'webauthn%').where('expires_at', '<', at).execute()
  await db
    .deleteFrom('token')
    .where('kind', 'in', ['trusted_token', 'access_token'])
    .where('expires_at', '<', at)
    .execute()
  await db.deleteFrom('totp').where('verified', '=', false).where('expires_at', '<', at).execute()
  await db.deleteFrom('code').where('expires_at', '<', before(24)).execute()
  await db.deleteFrom('wallet_challenge').where('expires_at', '<', at).execute()
  // A flow expires after ten minutes anyway.
  await db.deleteFrom('oauth_state').where('used_at', '<', before(1)).execute()
  await db.deleteFrom('attempt').where('window_ends_at', '<', at).execute()
  // The life of the browser's cookie.
  await db
    .deleteFrom('known_origin')
    .where('seen_at', '<', before(400 * 24))
    .execute()
  await db.deleteFrom('app_authorization').where('expires_at', '<', at).execute()
  await db
    .deleteFrom('app_event')
    .where('happened_at', '<', before(400 * 24))
    .execute()
  await db
    .deleteFrom('organization_event')
    .where('happened_at', '<', before(400 * 24))
    .execute()
  // The record of operators who acted for a driver.
  await db
    .deleteFrom('impersonation')
    .where('issued_at', '<', before(400 * 24))
    .execute()
  await db.deleteFrom('mail_outbox').where('finished_at', '<', before(1)).execute()
  await db.deleteFrom('text_outbox').where('finished_at', '<', before(1)).execute()
  await db.deleteFrom('text_refusal').where('refused_at', '<', before(1)).execute()
}
