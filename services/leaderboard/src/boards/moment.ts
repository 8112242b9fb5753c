/**
 * Converts a time such as `2026-11-28T09:00:00.123456Z` to microseconds since 1970. They fit a JavaScript
 * number exactly until the year 2255. A `Date` would cut them to milliseconds, which decide ties (D-8).
 * Throws for any other form.
 */
export function toMicroseconds(moment: string): number {
  const [, seconds, fraction = ''] = /^(.+?)(?:\.(\d{1,6}))?Z$/.exec(moment) ?? []
  const ms = Date.parse(`${seconds}Z`)
  if (Number.isNaN(ms)) throw new Error('the time does not have the form 2026-11-28T09:00:00.123456Z')
  return ms * 1_000 + Number(fraction.padEnd(6, '0'))
}

/** Converts microseconds since 1970 back to text in UTC. */
export function fromMicroseconds(us: number): string {
  const fraction = us % 1_000_000
  const seconds = new Date((us - fraction) / 1_000).toISOString().slice(0, 19)
  return `${seconds}.${String(fraction).padStart(6, '0')}Z`
}
