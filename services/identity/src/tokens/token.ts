import { createHash, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { hashSecret, newSecret } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import { type ErrorType, IdentityError } from '../errors.ts'
import { type MailRequest, type Purpose, RESEND_MS } from '../mail/mail-request.ts'
import type { Work } from '../work.ts'

/** What a token opens, each with the error that says it does not. */
const kinds = {
  magic_links: 'unable_to_auth_magic_link',
  reset_password: 'unable_to_auth_password_reset_token',
  oauth: 'oauth_token_not_found',
} as const satisfies Readonly<Record<string, ErrorType>>

/** The names are the protocol's `stytch_token_type`. */
export type TokenKind = keyof typeof kinds

export interface NewToken {
  readonly kind: TokenKind
  /** What the mail was asked for; left out for tokens that travel by redirect. */
  readonly purpose?: Purpose
  /** Null where nobody has the address: the token is written like any other and opens nothing. */
  readonly userId: string | null
  /** Whom it was mailed to. */
  readonly address?: { readonly address: string; readonly key: string }
  readonly data?: Readonly<Record<string, unknown>>
  readonly codeChallenge: string | undefined
  readonly minutes: number
}

export interface Token {
  readonly kind: TokenKind
  readonly userId: string | null
  readonly address: string | null
  readonly addressKey: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** Makes a single-use token of 256 random bits, of which only the digest is kept. */
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
 * What a token stands for, without using it up. A missing, unexpected or wrong `code_verifier` throws
 * `pkce_*` and leaves the token good, so that the right browser can still use it.
 */
export async function findToken(
  db: Db | Trx,
  kind: TokenKind,
  secret: string,
  codeVerifier: string | undefined,
  now: Date,
): Promise<Token> {
  const row = await goodToken(db, kind, secret, now).executeTakeFirst()
  return judge(kind, row, codeVerifier)
}

/** As `findToken`, and uses the token up with the change; of many tries at once one succeeds. */
export async function useToken(
  { trx, now }: Work,
  kind: TokenKind,
  secret: string,
  codeVerifier: string | undefined,
): Promise<Token> {
  const row = await goodToken(trx, kind, secret, now).forUpdate().executeTakeFirst()
  const token = judge(kind, row, codeVerifier)
  await trx.updateTable('token').set({ used_at: now }).where('token_hash', '=', hashSecret(secret)).execute()
  return token
}

function goodToken(db: Db | Trx, kind: TokenKind, secret: string, now: Date) {
  return db
    .selectFrom('token')
    .select(['user_id', 'address', 'address_key', 'data', 'code_challenges'])
    .where('token_hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
}

function judge(
  kind: TokenKind,
  row: Awaited<ReturnType<ReturnType<typeof goodToken>['executeTakeFirst']>>,
  codeVerifier: string | undefined,
): Token {
  if (row === undefined) throw tokenError(kind)
  checkPkce(row.code_challenges, codeVerifier)
  return {
    kind,
    userId: row.user_id,
    address: row.address,
    addressKey: row.address_key,
    data: row.data,
  }
}

/** The error that says a token of this kind opens nothing. */
export function tokenError(kind: TokenKind): IdentityError {
  return new IdentityError(kinds[kind])
}

/** Selects the tokens that a mail of this purpose brought and that can still be used. */
function liveTokens({ purpose, to, isBound = false }: MailRequest, now: Date): RawBuilder<unknown> {
  return sql`address_key = ${to.key} and purpose = ${purpose} and used_at is null and expires_at > ${now}
    and (cardinality(code_challenges) > 0) = ${isBound}`
}

/** Whether a link that was mailed a moment ago answers this request as well. */
export async function hasLiveToken({ trx, now }: Work, request: MailRequest): Promise<boolean> {
  const at = (ms: number) => new Date(now.getTime() + ms)
  // One from the future is of a clock that was set back.
  const { rows } = await sql`select from token where ${liveTokens(request, now)}
    and created_at > ${at(-RESEND_MS)} and created_at < ${at(RESEND_MS)} limit 1`.execute(trx)
  return rows.length > 0
}

/**
 * Lets the browser that asked last use the mail that is on its way: its challenge is accepted as well.
 * A browser that adds a challenge and does not have the mail gains nothing.
 */
export async function addChallenge(
  { trx, now }: Work,
  request: MailRequest,
  codeChallenge: string | undefined,
): Promise<void> {
  if (codeChallenge === undefined) return
  await sql`update token set code_challenges = code_challenges || ${codeChallenge}::text
    where ${liveTokens(request, now)} and cardinality(code_challenges) < 10`.execute(trx)
}

/**
 * Forgets every unused token and code of a person, and those that were mailed to their addresses. What
 * was mailed before a change of password, or to an address that is removed, opens nothing.
 */
export async function dropTokens(trx: Trx, userId: string): Promise<void> {
  const addresses = sql`array(select address_key from email where email.user_id = ${userId})`
  const isTheirs = sql`(user_id = ${userId} or address_key = any(${addresses}))`
  await sql`delete from token where used_at is null and ${isTheirs}`.execute(trx)
  await sql`delete from code where used_at is null and ${isTheirs}`.execute(trx)
}

/** RFC 7636 with S256, the one method of the protocol. */
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
