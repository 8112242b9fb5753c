/**
 * Whether the database cannot be reached or restarts: connection failures of the operating system,
 * and the server's classes 08, 53 and 57 (gone, full, shutting down).
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'].includes(code)) return true
  if (/^(08|53|57)/.test(code)) return true
  return /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(error.message)
}
