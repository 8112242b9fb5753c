import { AppError } from '@lapwing/http'

/**
 * Wraps a service's handlers: if the database is unreachable or restarts, they throw `code` with
 * `Retry-After`. The same request may succeed a moment later. Other errors pass unchanged.
 */
export function answerUnavailable<Handlers extends object>(handlers: Handlers, code: string): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([id, handle]) => [
      id,
      async (...args: unknown[]) => {
        try {
          return await handle(...args)
        } catch (error) {
          throw isUnavailable(error)
            ? new AppError(code, { cause: error, headers: { 'retry-after': '2' } })
            : error
        }
      },
    ]),
  ) as Handlers
}

/**
 * Returns true for connection errors of the operating system and for classes 08, 53 and 57 of the server
 * (gone, full, shutting down).
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'].includes(code)) return true
  if (/^(08|53|57)/.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(error.message)
}
