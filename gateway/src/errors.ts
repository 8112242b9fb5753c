import type { ErrorTable } from '@lapwing/http'

/** Errors that the gateway itself returns. `x-codes` of the contract lists the same codes. */
export const errors = {
  'gateway.bad_request': {
    status: 400,
    title: 'Bad request',
    detail: 'The request is not well formed.',
  },
  'gateway.tile_out_of_range': {
    status: 400,
    title: 'No such tile',
    detail: 'The map has no tile with this zoom, column and row.',
  },
  'gateway.unauthorized': {
    status: 401,
    title: 'Not signed in',
    detail: 'Please sign in first.',
  },
  'gateway.insufficient_scope': {
    status: 403,
    title: 'Not granted',
    detail: 'The person has not granted this to the app.',
  },
  'gateway.not_found': {
    status: 404,
    title: 'Not found',
    detail: 'There is nothing at this address.',
  },
  'gateway.method_not_allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not take requests of this kind.',
  },
  'gateway.request_timeout': {
    status: 408,
    title: 'Request timed out',
    detail: 'The request took too long to arrive.',
  },
  'gateway.body_too_large': {
    status: 413,
    title: 'Too large',
    detail: 'This is more than can be sent here.',
  },
  'gateway.unsupported_media_type': {
    status: 415,
    title: 'Unsupported media type',
    detail: 'The type of what was sent cannot be read.',
  },
  'gateway.rate_limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'That was a little too often. Please wait a moment and try again.',
  },
  'gateway.headers_too_large': {
    status: 431,
    title: 'Request headers too large',
    detail: 'The address or the headers of the request are too long.',
  },
  'gateway.failed': {
    status: 500,
    title: 'Failed',
    detail: 'Something went wrong on our side. Please try again.',
  },
  'gateway.upstream_unavailable': {
    status: 503,
    title: 'Not available',
    detail: 'This part of Lapwing is not available right now. Please try again in a moment.',
  },
  'gateway.overloaded': {
    status: 503,
    title: 'Busy',
    detail: 'Too many requests are running right now. Please try again in a moment.',
  },
  'gateway.upstream_timeout': {
    status: 504,
    title: 'Timed out',
    detail: 'The answer took too long. Please try again.',
  },
} as const satisfies ErrorTable

export type GatewayCode = keyof typeof errors
