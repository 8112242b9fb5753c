import { AppError } from '@lapwing/http'

/**
 * Wraps a service's handlers: a database that cannot be reached, or that restarts, answers `code`
 * with `Retry-After`, since the same request may go through a moment later. Other errors stay.
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

/** Connection failures of the operating system, and the server's classes 08, 53 and 57 (gone, full, shutting down). */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'].includes(code)) return true
  if (/^(08|53|57)/.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(error.message)
}
