import type { ErrorTable, ErrorTableEntry } from './app-error.ts'

/**
 * Errors that every HTTP process may answer, whether or not its own table has them. The gateway prevents most
 * of them for a service, but not for requests inside the cluster.
 */
export const commonErrors = {
  bad_request: { status: 400, title: 'Bad request', detail: 'The request is not well formed.' },
  not_found: { status: 404, title: 'Not found', detail: 'There is nothing at this address.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not take requests of this kind.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    detail: 'The request took too long to arrive.',
  },
  body_too_large: { status: 413, title: 'Too large', detail: 'This is more than can be sent here.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'The type of what was sent cannot be read.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    detail: 'The address or the headers of the request are too long.',
  },
  failed: {
    status: 500,
    title: 'Failed',
    detail: 'Something went wrong on our side. Please try again.',
  },
} as const satisfies ErrorTable

export type CommonError = keyof typeof commonErrors

/** Returns the entry of a code from the service's table, else the common one; undefined if neither has it. */
export function errorEntry(service: string, table: ErrorTable, code: string): ErrorTableEntry | undefined {
  if (Object.hasOwn(table, code)) return table[code]
  const suffix = code.slice(service.length + 1)
  return code.startsWith(`${service}.`) && Object.hasOwn(commonErrors, suffix)
    ? commonErrors[suffix as CommonError]
    : undefined
}
