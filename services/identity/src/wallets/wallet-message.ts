import type { components } from '@lapwing/contracts/identity'
import { IdentityError } from '../errors.ts'
import type { Wallet } from './wallet.ts'

/** Parts of the text of Sign-In with Ethereum that a page can choose. */
export type SiweParams = components['schemas']['SiweParams']

/** What a text says beside the wishes of the page. */
export interface MessageFacts {
  readonly wallet: Wallet
  /** Origin of the page that asks. Wallets compare it with the page that they are open on. */
  readonly origin: string
  /** What the signature does, as one sentence of ASCII. */
  readonly statement: string
  readonly nonce: string
  readonly now: Date
  readonly expiresAt: Date
}

/**
 * Returns the text of Sign-In with Ethereum (EIP-4361). Throws `invalid_siwe_…` for a wish that cannot be met, and
 * `bad_request` for a time that is none.
 */
export function siweMessage(
  facts: MessageFacts,
  params: SiweParams,
  allowedOrigins: readonly string[],
): string {
  const { uri = facts.origin, statement = facts.statement, chain_id: chainId = '1' } = params
  const { issued_at: issuedAt, not_before: notBefore, message_request_id: requestId, resources = [] } = params
  return layOut(facts, {
    host: readUri(uri, allowedOrigins).host,
    uri,
    statement: readStatement(statement),
    chainId: readChainId(chainId),
    issuedAt: issuedAt === undefined ? facts.now : readTime('issued_at', issuedAt),
    more: [
      ...(notBefore === undefined ? [] : [`Not Before: ${readTime('not_before', notBefore).toISOString()}`]),
      ...(requestId === undefined ? [] : [`Request ID: ${readRequestId(requestId)}`]),
      ...(resources.length === 0 ? [] : ['Resources:', ...resources.map(uri => `- ${readResource(uri)}`)]),
    ],
  })
}

/**
 * Returns the text for wallets of Solana, in the form of Sign-In with Solana: those that know the form compare its
 * first line with the page. For a wallet of Ethereum it is a text without a known form.
 */
export function plainMessage(facts: MessageFacts): string {
  const { host } = new URL(facts.origin)
  const { origin, statement, now } = facts
  return layOut(facts, { host, uri: origin, statement, chainId: null, issuedAt: now, more: [] })
}

/** Returns the time before which the signature is refused; null if the page wants none. */
export function readNotBefore({ not_before: notBefore }: SiweParams): Date | null {
  return notBefore === undefined ? null : readTime('not_before', notBefore)
}

const CHAINS = { ethereum: 'Ethereum', solana: 'Solana' } as const

interface Wishes {
  readonly host: string
  readonly uri: string
  readonly statement: string
  readonly chainId: string | null
  readonly issuedAt: Date
  /** Lines at the end. */
  readonly more: readonly string[]
}

/** Lays the text out in the form that both chains share. */
function layOut({ wallet, nonce, expiresAt }: MessageFacts, wishes: Wishes): string {
  const { host, uri, statement, chainId, issuedAt, more } = wishes
  return [
    `${host} wants you to sign in with your ${CHAINS[wallet.type]} account:`,
    wallet.address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    'Version: 1',
    ...(chainId === null ? [] : [`Chain ID: ${chainId}`]),
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
    ...more,
  ].join('\n')
}

// Every reader refuses line breaks: a page could add lines to the text with them.
const PRINTABLE_WITHOUT_SPACES = /^[!-~]+$/

function readUri(uri: string, allowedOrigins: readonly string[]): URL {
  const url = PRINTABLE_WITHOUT_SPACES.test(uri) ? URL.parse(uri) : null
  // A name before the host would look like another host.
  const isAllowed = url !== null && url.username + url.password === '' && allowedOrigins.includes(url.origin)
  if (!isAllowed) throw new IdentityError('invalid_siwe_uri')
  return url
}

function readStatement(statement: string): string {
  if (!/^[ -~]+$/.test(statement)) throw new IdentityError('invalid_siwe_statement')
  return statement
}

function readChainId(id: string): string {
  if (!/^[1-9]\d*$/.test(id)) throw new IdentityError('invalid_siwe_chain_id')
  return id
}

function readRequestId(id: string): string {
  // The characters of a path segment (RFC 3986), as EIP-4361 requires.
  if (!/^[\w.~!$&'()*+,;=:@%-]+$/.test(id)) throw new IdentityError('invalid_siwe_message_request_id')
  return id
}

function readResource(resource: string): string {
  const isUri = PRINTABLE_WITHOUT_SPACES.test(resource) && URL.canParse(resource)
  if (!isUri) throw new IdentityError('invalid_siwe_resource')
  return resource
}

function readTime(name: string, text: string): Date {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const time = new Date(isTime ? text : Number.NaN)
  if (!Number.isNaN(time.getTime())) return time
  throw new IdentityError('bad_request', {
    message: `siwe_params.${name} must be a time such as 2026-03-01T12:00:00Z.`,
  })
}
