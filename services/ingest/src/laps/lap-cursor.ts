import { AppError } from '@lapwing/http'
import type { LapPosition } from './lap.repository.ts'

/** Returns the position of a lap in the list as an opaque text. */
export function toCursor({ recordedAt, lapId }: LapPosition): string {
  return Buffer.from(`${recordedAt} ${lapId}`).toString('base64url')
}

/** Reads a cursor. Throws `ingest.bad_request` for any text that `toCursor` does not write. */
export function fromCursor(cursor: string): LapPosition {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([0-9a-f-]{36})$/.exec(text)
  const [, recordedAt, lapId] = found ?? []
  if (recordedAt === undefined || lapId === undefined || !isMoment(recordedAt) || !isUuid(lapId)) {
    throw new AppError('ingest.bad_request', {
      detail: 'This cursor does not come from an earlier answer. Please load the list again.',
    })
  }
  return { recordedAt, lapId }
}

/** Rejects moments that the database has not: `Date` reads 31 February as 2 March, and accepts a year 0. */
function isMoment(text: string): boolean {
  const ms = Date.parse(text)
  const seconds = 'YYYY-MM-DDTHH:mm:ss'.length
  return (
    !Number.isNaN(ms) &&
    new Date(ms).toISOString().slice(0, seconds) === text.slice(0, seconds) &&
    !text.startsWith('0000')
  )
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
