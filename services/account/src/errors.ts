import type { ErrorTable } from '@lapwing/http'

/**
 * The service's own error codes; the common ones are in `@lapwing/http`. `errors.test.ts` compares the table
 * with the contract.
 */
export const errors = {
  'account.username_invalid': { status: 422, title: 'Name not allowed', detail: 'This name is not allowed.' },
  'account.username_taken': { status: 409, title: 'Name taken', detail: 'Username is already taken' },
  'account.username_not_confirmed': {
    status: 409,
    title: 'Not confirmed',
    detail: 'Type your username exactly as it stands to delete your account.',
  },
  'account.deleted': { status: 410, title: 'Account deleted', detail: 'This account was deleted.' },
  'account.busy': {
    status: 503,
    title: 'Unavailable',
    detail: 'Accounts cannot be reached at the moment. Please try again.',
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
