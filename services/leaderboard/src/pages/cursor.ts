import { AppError } from '@lapwing/http'
import type { OrderKey } from '../boards/entry.ts'

/** The position of the last row of a page, in a form that says nothing to others and fits an address. */
export function toCursor({ timeMs, recordedUs, lapId }: OrderKey): string {
  return Buffer.from([timeMs, recordedUs, lapId].join(' ')).toString('base64url')
}

/** Throws `leaderboard.bad_request` for what no page gave. */
export function fromCursor(cursor: string): OrderKey {
  const [, timeMs, recordedUs, lapId] = form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (lapId === undefined || Number(timeMs) > 2 ** 31 - 1) {
    throw new AppError('leaderboard.bad_request', { detail: 'The cursor is not one that a page gave.' })
  }
  return { timeMs: Number(timeMs), recordedUs: Number(recordedUs), lapId }
}

const form = /^(\d{1,10}) (\d{1,16}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
