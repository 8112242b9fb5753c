import { createHash, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { hashSecret, newSecret } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import { type ErrorType, IdentityError } from '../errors.ts'
import { type MailRequest, type Purpose, RESEND_MS } from '../mail/mail-request.ts'
import type { Work } from '../work.ts'

/** Kinds of tokens, each with its error for an unusable token. */
const TOKEN_ERRORS = {
  magic_links: 'unable_to_auth_magic_link',
  reset_password: 'unable_to_auth_password_reset_token',
  oauth: 'oauth_token_not_found',
  sso: 'sso_token_not_found',
  oauth_attach: 'invalid_oauth_attach_token',
  impersonation: 'unable_to_auth_impersonation_token',
  trusted_token: 'invalid_trusted_auth_token',
  access_token: 'oauth_access_token_exchange_token_invalid_grant',
  webauthn_register: 'invalid_public_key_credential',
  webauthn_login: 'invalid_public_key_credential',
} as const satisfies Readonly<Record<string, ErrorType>>

/** Values of the protocol's `stytch_token_type`, and our own for other tokens and challenges. */
export type TokenKind = keyof typeof TOKEN_ERRORS

export interface NewToken {
  readonly kind: TokenKind
  /** Purpose of the mail; left out for tokens that travel by redirect. */
  readonly purpose?: Purpose
  /** Null if no account has the address: the token is stored like any other and opens nothing. */
  readonly userId: string | null
  /** Recipient of the mail. */
  readonly address?: { readonly address: string; readonly key: string }
  readonly data?: Readonly<Record<string, unknown>>
  readonly codeChallenge: string | undefined
  readonly minutes: number
}

export interface Token {
  readonly userId: string | null
  readonly address: string | null
  readonly addressKey: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** Creates a single-use token of 256 random bits and stores only its digest. */
export async function issueToken({ trx, now }: Work, token: NewToken): Promise<string> {
  const secret = newSecret()
  await trx
    .insertInto('token')
    .values({
      token_hash: hashSecret(secret),
      kind: token.kind,
      user_id: token.userId,
      address: token.address?.address ?? null,
      address_key: token.address?.key ?? null,
      data: JSON.stringify(token.data ?? {}),
      code_challenges: token.codeChallenge === undefined ? [] : [token.codeChallenge],
      purpose: token.purpose ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + token.minutes * 60_000),
      used_at: null,
    })
    .execute()
  return secret
}

/**
 * Returns the data of a token without using it up. Throws the kind's error for an unusable token, and
 * `pkce_*` for a missing, unexpected or wrong verifier. The token stays usable for the right browser.
 */
export async function findToken(
  db: Db | Trx,
  kind: TokenKind,
  secret: string,
  codeVerifier: string | undefined,
  now: Date,
): Promise<Token> {
  const row = await selectUsableToken(db, kind, secret, now).executeTakeFirst()
  return checkToken(kind, row, codeVerifier)
}

/**
 * Does the same as `findToken` and uses the token up with the change. One of many concurrent tries
 * succeeds.
 */
export async function useToken(
  { trx, now }: Work,
  kind: TokenKind,
  secret: string,
  codeVerifier: string | undefined,
): Promise<Token> {
  const row = await selectUsableToken(trx, kind, secret, now).forUpdate().executeTakeFirst()
  const token = checkToken(kind, row, codeVerifier)
  await trx.updateTable('token').set({ used_at: now }).where('token_hash', '=', hashSecret(secret)).execute()
  return token
}

/**
 * Uses up a token of others, which has an id of its own, with the change. Throws the kind's error if it was used
 * before. One of many concurrent tries succeeds.
 *
 * @param expiresAt moment after which the token is refused anyway
 */
export async function useForeignToken(
  work: Work,
  kind: 'trusted_token' | 'access_token',
  {
    issuer,
    tokenId,
    expiresAt,
  }: { readonly issuer: string; readonly tokenId: string; readonly expiresAt: Date },
): Promise<void> {
  const isFirst = await markUsed(work, kind, JSON.stringify([kind, issuer, tokenId]), expiresAt)
  if (!isFirst) throw tokenError(kind)
}

/**
 * Stores that something was used which this table did not hold before. Returns whether this was its first use.
 *
 * @param expiresAt moment after which it is refused anyway; the sweep then deletes the row
 */
export async function markUsed(
  { trx, now }: Work,
  kind: 'trusted_token' | 'access_token' | 'webauthn_login',
  secret: string,
  expiresAt: Date,
): Promise<boolean> {
  const used = await trx
    .insertInto('token')
    .values({
      token_hash: hashSecret(secret),
      kind,
      user_id: null,
      address: null,
      address_key: null,
      purpose: null,
      created_at: now,
      expires_at: expiresAt,
      used_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('kind')
    .executeTakeFirst()
  return used !== undefined
}

/** Selects a row of `columns` if the token exists and is usable. */
export function existingToken<Row>(
  kind: TokenKind,
  secret: string,
  now: Date,
  columns: RawBuilder<unknown> = sql``,
): RawBuilder<Row> {
  return sql`select ${columns} from token where token_hash = ${hashSecret(secret)} and kind = ${kind}
    and used_at is null and expires_at > ${now}`
}

function selectUsableToken(db: Db | Trx, kind: TokenKind, secret: string, now: Date) {
  return db
    .selectFrom('token')
    .select(['user_id as userId', 'address', 'address_key as addressKey', 'data', 'code_challenges'])
    .where('token_hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
}

function checkToken(
  kind: TokenKind,
  row: Awaited<ReturnType<ReturnType<typeof selectUsableToken>['executeTakeFirst']>>,
  codeVerifier: string | undefined,
): Token {
  if (row === undefined) throw tokenError(kind)
  checkPkce(row.code_challenges, codeVerifier)
  return row
}

/** Returns the error for an unusable token of this kind. */
export function tokenError(kind: TokenKind): IdentityError {
  return new IdentityError(TOKEN_ERRORS[kind])
}

/** Returns a condition that holds for usable tokens of mails of this purpose. */
function liveTokens({ purpose, to, isBound = false }: MailRequest, now: Date): RawBuilder<unknown> {
  return sql`address_key = ${to.key} and purpose = ${purpose} and used_at is null and expires_at > ${now}
    and (cardinality(code_challenges) > 0) = ${isBound}`
}

/** Browsers that can use one bound link. */
const MAX_CHALLENGES = 10

/**
 * Returns whether a link that was mailed a moment ago answers this request. One that cannot take another
 * challenge does not: strangers could otherwise fill it, and leave the owner's browser without a link.
 */
export async function hasLiveToken({ trx, now }: Work, request: MailRequest): Promise<boolean> {
  const at = (ms: number) => new Date(now.getTime() + ms)
  // A creation time in the future means that the clock was set back.
  const { rows } = await sql`select from token where ${liveTokens(request, now)}
    and created_at > ${at(-RESEND_MS)} and created_at < ${at(RESEND_MS)}
    and cardinality(code_challenges) < ${MAX_CHALLENGES} limit 1`.execute(trx)
  return rows.length > 0
}

/**
 * Adds the challenge of the requesting browser to the live tokens, so that it can use the mail that is on
 * its way. A browser without the mail gains nothing from it.
 */
export async function addChallenge(
  { trx, now }: Work,
  request: MailRequest,
  codeChallenge: string | undefined,
): Promise<void> {
  if (codeChallenge === undefined) return
  await sql`update token set code_challenges = code_challenges || ${codeChallenge}::text
    where ${liveTokens(request, now)} and cardinality(code_challenges) < ${MAX_CHALLENGES}`.execute(trx)
}

/**
 * Deletes every unused token, code and challenge of a person, and those sent to their addresses and numbers or
 * made for their wallets. So mails and texts from before a change of password, or to a removed address, open
 * nothing.
 */
export function dropTokens(trx: Trx, userId: string): Promise<void> {
  return deleteTokens(trx, userId, sql`used_at is null`)
}

/**
 * Deletes the tokens and codes of a person, and those sent to them, for which `condition` holds. Deletes the
 * challenges for their wallets, too.
 */
export async function deleteTokens(
  trx: Trx,
  userId: string,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  const addresses = sql`array(select address_key from email where email.user_id = ${userId})`
  const isTheirs = sql`(user_id = ${userId} or address_key = any(${addresses}))`
  await sql`delete from token where ${condition} and ${isTheirs}`.execute(trx)
  const numbers = sql`array(select number from phone_number where phone_number.user_id = ${userId})`
  await sql`delete from code where ${condition} and (${isTheirs} or address_key = any(${numbers}))`.execute(
    trx,
  )
  await sql`delete from wallet_challenge where user_id = ${userId} or (wallet_type, address) in
    (select wallet_type, address from crypto_wallet where crypto_wallet.user_id = ${userId})`.execute(trx)
}

/** Checks PKCE (RFC 7636) with S256, the protocol's only method. Throws `pkce_*`. */
function checkPkce(challenges: readonly string[], verifier: string | undefined): void {
  if (challenges.length === 0) {
    if (verifier !== undefined) throw new IdentityError('pkce_did_not_expect_code_verifier')
    return
  }
  if (verifier === undefined) throw new IdentityError('pkce_expected_code_verifier')
  const shown = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const matches = challenges.some(challenge => {
    const expected = Buffer.from(challenge)
    return expected.length === shown.length && timingSafeEqual(expected, shown)
  })
  if (!matches) throw new IdentityError('pkce_mismatch')
}
