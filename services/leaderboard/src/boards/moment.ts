/**
 * A moment as text, such as `2026-11-28T09:00:00.123456Z`, and as microseconds since 1970. Those fit a
 * JavaScript number exactly until the year 2255; a `Date` would cut them to milliseconds, and laps of
 * equal time would change places (D-8).
 */
export function toMicroseconds(moment: string): number {
  const [, seconds, fraction = ''] = /^(.+?)(?:\.(\d{1,6}))?Z$/.exec(moment) ?? []
  const ms = Date.parse(`${seconds}Z`)
  if (Number.isNaN(ms)) throw new Error('no moment of the form 2026-11-28T09:00:00.123456Z')
  return ms * 1_000 + Number(fraction.padEnd(6, '0'))
}

export function fromMicroseconds(us: number): string {
  const fraction = us % 1_000_000
  const seconds = new Date((us - fraction) / 1_000).toISOString().slice(0, 19)
  return `${seconds}.${String(fraction).padStart(6, '0')}Z`
}
