import type { ErrorTable, ErrorTableEntry } from './app-error.ts'

/**
 * Errors that every process has, each under the code `<service>.<name>`. A service's own table
 * lists only further codes, and those that it words differently.
 */
export const commonErrors = {
  bad_request: { status: 400, title: 'Bad request', detail: 'The request does not fit the contract.' },
  unauthorized: { status: 401, title: 'Not signed in', detail: 'Session expired. Please sign in again.' },
  not_found: { status: 404, title: 'Not found', detail: 'There is nothing at this address.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not answer that method.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    detail: 'The request took too long to arrive.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    detail: 'The request is larger than any valid one.',
  },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', detail: 'Send JSON.' },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many requests. Please wait a moment.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    detail: 'The address or the headers of the request are too long.',
  },
  failed: { status: 500, title: 'Error', detail: 'Something went wrong on our side. Please try again.' },
  busy: {
    status: 503,
    title: 'Unavailable',
    detail: 'This cannot be reached at the moment. Please try again.',
  },
} as const satisfies ErrorTable

export type CommonError = keyof typeof commonErrors

/** Returns the code's entry in a service's table, else the common one; undefined if neither has it. */
export function errorEntry(service: string, table: ErrorTable, code: string): ErrorTableEntry | undefined {
  if (Object.hasOwn(table, code)) return table[code]
  const suffix = code.slice(service.length + 1)
  return code.startsWith(`${service}.`) && Object.hasOwn(commonErrors, suffix)
    ? commonErrors[suffix as CommonError]
    : undefined
}
