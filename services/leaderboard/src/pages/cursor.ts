import { AppError } from '@lapwing/http'
import type { OrderKey } from '../boards/entry.ts'

/** Encodes the position of a page's last row as an opaque text that fits a URL. */
export function toCursor({ timeMs, recordedUs, lapId }: OrderKey): string {
  return Buffer.from([timeMs, recordedUs, lapId].join(' ')).toString('base64url')
}

/** Decodes a cursor. Throws `leaderboard.bad_request` for a text that is no cursor of a page. */
export function fromCursor(cursor: string): OrderKey {
  const [, timeMs, recordedUs, lapId] = form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (lapId === undefined || Number(timeMs) > 2 ** 31 - 1) {
    throw new AppError('leaderboard.bad_request', { detail: 'The cursor does not come from a page.' })
  }
  return { timeMs: Number(timeMs), recordedUs: Number(recordedUs), lapId }
}

const form = /^(\d{1,10}) (\d{1,16}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
