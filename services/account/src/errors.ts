import type { ErrorTable } from '@lapwing/http'

/** Every code this service answers; `errors.test.ts` holds it against the contract, both ways. */
export const errors = {
  'account.bad_request': {
    status: 400,
    title: 'Bad request',
    detail: 'The request does not fit the contract.',
  },
  'account.unauthorized': {
    status: 401,
    title: 'Not signed in',
    detail: 'Session expired. Please sign in again.',
  },
  'account.not_found': { status: 404, title: 'Not found', detail: 'There is nothing at this address.' },
  'account.method_not_allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not answer that method.',
  },
  'account.body_too_large': {
    status: 413,
    title: 'Body too large',
    detail: 'The request is larger than any valid one.',
  },
  'account.unsupported_media_type': { status: 415, title: 'Unsupported media type', detail: 'Send JSON.' },
  'account.username_invalid': { status: 422, title: 'Name not allowed', detail: 'This name is not allowed.' },
  'account.username_taken': { status: 409, title: 'Name taken', detail: 'Username is already taken' },
  'account.username_not_confirmed': {
    status: 409,
    title: 'Not confirmed',
    detail: 'Type your username exactly as it stands to delete your account.',
  },
  'account.deleted': { status: 410, title: 'Account deleted', detail: 'This account was deleted.' },
  'account.rate_limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many requests. Please wait a moment.',
  },
  'account.busy': {
    status: 503,
    title: 'Unavailable',
    detail: 'Accounts cannot be reached at the moment. Please try again.',
  },
  'account.failed': {
    status: 500,
    title: 'Error',
    detail: 'Something went wrong on our side. Please try again.',
  },
  'billing.not_configured': {
    status: 501,
    title: 'No billing',
    detail: 'Payments are not set up on this installation.',
  },
  'billing.no_customer': {
    status: 404,
    title: 'No subscription',
    detail: 'There is no subscription to manage yet.',
  },
  'billing.provider_failed': {
    status: 502,
    title: 'Payment provider failed',
    detail: 'The payment page cannot be opened at the moment. Please try again.',
  },
} as const satisfies ErrorTable

export type ErrorCode = keyof typeof errors
