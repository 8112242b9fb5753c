import type { ErrorTable } from '@lapwing/http'

/**
 * The service's own error codes; the common ones are in `@lapwing/http`. `errors.test.ts` compares the table
 * with the contract.
 */
export const errors = {
  'leaderboard.no_laps': { status: 404, title: 'No laps', detail: 'No laps yet for this combination.' },
  'leaderboard.no_entry': {
    status: 404,
    title: 'No such entry',
    detail: 'This lap is not on a leaderboard any more.',
  },
  'leaderboard.own_entry': {
    status: 400,
    title: 'Own lap',
    detail: 'This is your own lap. You can delete it in “Your saved laps”.',
  },
  'leaderboard.too_many_reports': {
    status: 429,
    title: 'Too many reports',
    detail: 'You have sent many reports today. The moderators will look at them first.',
  },
  'leaderboard.busy': {
    status: 503,
    title: 'Unavailable',
    detail: 'Leaderboards cannot be reached at the moment. Please try again.',
  },
} as const satisfies ErrorTable
