import type { ErrorTable } from '@lapwing/http'

/**
 * The service's own error codes; the common ones are in `@lapwing/http`. `errors.test.ts` compares the table
 * with the contract.
 */
export const errors = {
  'leaderboard.no_laps': { status: 404, title: 'No laps', detail: 'No laps yet for this combination.' },
  'leaderboard.busy': {
    status: 503,
    title: 'Unavailable',
    detail: 'Leaderboards cannot be reached at the moment. Please try again.',
  },
} as const satisfies ErrorTable
