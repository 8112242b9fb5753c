import type { Problem } from '../machine/machine.ts'
import { en, type MessageId } from './en.ts'
import type { Texts } from './texts.ts'

/** Types of the catalogue. Each has a sentence of its own in every language. */
export const ERROR_TYPES = [
  'invalid_email',
  'invalid_phone_number',
  'unsubscribed_phone_number',
  'inactive_email',
  'unauthorized_credentials',
  'user_unauthenticated',
  'email_not_found',
  'unable_to_auth_magic_link',
  'no_user_password',
  'breached_password',
  'reset_password',
  'oauth_token_not_found',
  'invalid_code',
  'member_password_not_found',
  'oauth_flow_callback_error',
  'unauthorized_action',
  'user_lock_limit_reached',
  'invalid_session_token',
  'session_not_found',
  'invalid_phone_number_country_code',
  'otp_code_not_found',
  'duplicate_member_phone_number',
] as const

/** Failures without an answer of identity, and failures of the browser, by a message id of their own. */
const OWN_MESSAGES =
  /^(?:error\.(?:unreachable|invalidJson|usage|invalidEmailOtp)|passkey\.error\.\w+|field\.required)$/

/** Returns the sentence of a failure: of the catalogue by its type, otherwise the server's. */
export function sentenceOf(problem: Problem, texts: Texts): string {
  const id = OWN_MESSAGES.test(problem.type) ? problem.type : `error.${problem.type}`
  return id in en ? texts.text(id as MessageId) : problem.message
}

/** Types that are about the address. */
const OF_THE_ADDRESS: ReadonlySet<string> = new Set(['invalid_email', 'inactive_email', 'email_not_found'])

/** Returns the field of a form with address and password that a failure belongs to. */
export function fieldOf({ type }: Problem): 'email' | 'password' {
  return OF_THE_ADDRESS.has(type) ? 'email' : 'password'
}

/** A part of a sentence. `href` is null for plain text. */
export interface SentencePart {
  readonly text: string
  readonly href: string | null
}

/** Splits a sentence at its https addresses, so that they can be links. The point after one stays text. */
export function linksIn(sentence: string): readonly SentencePart[] {
  return sentence
    .split(/(https:\/\/[^\s<>"')]*[^\s<>"').,;:!?])/)
    .filter(text => text !== '')
    .map(text => ({ text, href: text.startsWith('https://') && URL.canParse(text) ? text : null }))
}
