import type { ErrorTable } from '@lapwing/http'

/** Every code this service answers; `errors.test.ts` holds it against the contract, both ways. */
export const errors = {
  'leaderboard.bad_request': {
    status: 400,
    title: 'Bad request',
    detail: 'The request does not fit the contract.',
  },
  'leaderboard.unauthorized': {
    status: 401,
    title: 'Not signed in',
    detail: 'Session expired. Please sign in again.',
  },
  'leaderboard.not_found': { status: 404, title: 'Not found', detail: 'There is nothing at this address.' },
  'leaderboard.method_not_allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not answer that method.',
  },
  'leaderboard.no_laps': { status: 404, title: 'No laps', detail: 'No laps yet for this combination.' },
  'leaderboard.rate_limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many requests. Please wait a moment.',
  },
  'leaderboard.busy': {
    status: 503,
    title: 'Unavailable',
    detail: 'Leaderboards cannot be reached at the moment. Please try again.',
  },
  'leaderboard.failed': {
    status: 500,
    title: 'Error',
    detail: 'Something went wrong on our side. Please try again.',
  },
} as const satisfies ErrorTable
