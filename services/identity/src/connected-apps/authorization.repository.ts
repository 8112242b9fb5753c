import { hashSecret, newId, newSecret } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import { lockActiveUser } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { endAuthorization } from './end-authorizations.ts'

/** Seconds in which an app must exchange its code. */
const CODE_S = 60
/** Seconds for which an access token lives. The gateway also asks whether it was revoked. */
export const ACCESS_S = 15 * 60
/** Days after which a person must agree again, however often an app refreshes its tokens. */
const REFRESH_DAYS = 90
/** An access token lives a quarter of an hour, so an app needs four. */
const REFRESHES_PER_HOUR = 60
/** Newest authorizations of one app that a person has. Older ones end, so that nobody fills the table. */
const MAX_AUTHORIZATIONS = 20

/** One use of a consent: a code and all tokens that come from it. */
export interface Authorization {
  readonly authorizationId: string
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly nonce: string | null
  readonly codeChallenge: string
  readonly codeExpiresAt: Date
  readonly codeUsedAt: Date | null
  /** Last time at which the person proved who they are. */
  readonly signedInAt: Date
}

type NewAuthorization = Pick<
  Authorization,
  'userId' | 'clientId' | 'scopes' | 'redirectUri' | 'nonce' | 'codeChallenge' | 'signedInAt'
>

/** Creates an authorization and returns its code of 256 random bits. Only its digest is stored. */
export async function createAuthorization(work: Work, granted: NewAuthorization): Promise<string> {
  const code = newSecret()
  const codeExpiresAt = new Date(work.now.getTime() + CODE_S * 1_000)
  await work.trx
    .insertInto('app_authorization')
    .values({
      authorization_id: newId('app-authorization'),
      user_id: granted.userId,
      client_id: granted.clientId,
      scopes: [...granted.scopes],
      redirect_uri: granted.redirectUri,
      nonce: granted.nonce,
      code_hash: hashSecret(code),
      code_challenge: granted.codeChallenge,
      code_expires_at: codeExpiresAt,
      code_used_at: null,
      signed_in_at: granted.signedInAt,
      created_at: work.now,
      access_expires_at: work.now,
      expires_at: codeExpiresAt,
    })
    .execute()
  const { userId, clientId } = granted
  const newestFirst = await work.trx
    .selectFrom('app_authorization')
    .select('authorization_id')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .orderBy('created_at', 'desc')
    .orderBy('authorization_id')
    .execute()
  for (const { authorization_id } of newestFirst.slice(MAX_AUTHORIZATIONS))
    await endAuthorization(work, authorization_id)
  return code
}

function selectAuthorization(db: Db | Trx) {
  return db
    .selectFrom('app_authorization')
    .select([
      'app_authorization.authorization_id as authorizationId',
      'app_authorization.user_id as userId',
      'app_authorization.client_id as clientId',
      'app_authorization.scopes',
      'app_authorization.redirect_uri as redirectUri',
      'app_authorization.nonce',
      'app_authorization.code_challenge as codeChallenge',
      'app_authorization.code_expires_at as codeExpiresAt',
      'app_authorization.code_used_at as codeUsedAt',
      'app_authorization.signed_in_at as signedInAt',
    ])
}

/** Returns the authorization of a code or of a refresh token, in any state; null if there is none. */
export async function findAuthorization(
  db: Db | Trx,
  by: { readonly code: string } | { readonly refreshToken: string },
): Promise<Authorization | null> {
  const row =
    'code' in by
      ? await selectAuthorization(db).where('code_hash', '=', hashSecret(by.code)).executeTakeFirst()
      : await selectAuthorization(db)
          .innerJoin(
            'app_refresh_token as token',
            'token.authorization_id',
            'app_authorization.authorization_id',
          )
          .where('token.token_hash', '=', hashSecret(by.refreshToken))
          .executeTakeFirst()
  return row ?? null
}

/**
 * Locks the person and then the authorization, as every change does, and returns its new state. Returns null if it has
 * ended or expired, or if the account is locked.
 */
export async function lockAuthorization(
  { trx, now }: Work,
  { authorizationId, userId }: Pick<Authorization, 'authorizationId' | 'userId'>,
): Promise<Authorization | null> {
  if (!(await lockActiveUser(trx, userId))) return null
  const row = await selectAuthorization(trx)
    .where('authorization_id', '=', authorizationId)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Returns whether an authorization has neither ended nor expired. */
export async function isAuthorizationActive(
  db: Db | Trx,
  authorizationId: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('app_authorization')
    .select('authorization_id')
    .where('authorization_id', '=', authorizationId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Uses the code up and records that an access token of the usual life is issued. With a refresh token the
 * authorization then lives until a fixed day, otherwise as long as its access token.
 *
 * @returns the refresh token; null without the scope `offline_access`
 */
export async function useCode(
  work: Work,
  { authorizationId, scopes }: Authorization,
): Promise<string | null> {
  const { trx, now } = work
  const isOffline = scopes.includes('offline_access')
  const accessExpiresAt = new Date(now.getTime() + ACCESS_S * 1_000)
  await trx
    .updateTable('app_authorization')
    .set({
      code_used_at: now,
      access_expires_at: accessExpiresAt,
      expires_at: isOffline ? new Date(now.getTime() + REFRESH_DAYS * 24 * 3_600_000) : accessExpiresAt,
    })
    .where('authorization_id', '=', authorizationId)
    .execute()
  return isOffline ? insertRefreshToken(work, authorizationId) : null
}

/** Returns whether an authorization has had too many refreshes in the last hour. Their tokens stay stored. */
export async function hasRefreshedTooOften(
  { trx, now }: Work,
  { authorizationId }: Authorization,
): Promise<boolean> {
  const { count } = await trx
    .selectFrom('app_refresh_token')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('authorization_id', '=', authorizationId)
    .where('created_at', '>', new Date(now.getTime() - 3_600_000))
    .executeTakeFirstOrThrow()
  // The first came with the code.
  return Number(count) > REFRESHES_PER_HOUR + 1
}

/**
 * Replaces a refresh token by a new one and records the next access token. Returns null, and changes nothing, if the
 * token was used before. Lock the authorization first.
 */
export async function rotateRefreshToken(
  work: Work,
  { authorizationId }: Authorization,
  refreshToken: string,
): Promise<string | null> {
  const { trx, now } = work
  const used = await trx
    .updateTable('app_refresh_token')
    .set({ used_at: now })
    .where('token_hash', '=', hashSecret(refreshToken))
    .where('used_at', 'is', null)
    .returning('authorization_id')
    .executeTakeFirst()
  if (used === undefined) return null
  await trx
    .updateTable('app_authorization')
    .set({ access_expires_at: new Date(now.getTime() + ACCESS_S * 1_000) })
    .where('authorization_id', '=', authorizationId)
    .execute()
  return insertRefreshToken(work, authorizationId)
}

async function insertRefreshToken({ trx, now }: Work, authorizationId: string): Promise<string> {
  const secret = newSecret()
  await trx
    .insertInto('app_refresh_token')
    .values({
      token_hash: hashSecret(secret),
      authorization_id: authorizationId,
      created_at: now,
      used_at: null,
    })
    .execute()
  return secret
}
