import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromMicroseconds, toMicroseconds } from './moment.ts'

const NINE = Date.UTC(2026, 10, 28, 9) * 1_000

for (const [fraction, us] of [
  ['', 0],
  ['.1', 100_000],
  ['.012', 12_000],
  ['.000001', 1],
] as const) {
  test(`reads a time with the fraction "${fraction}", and returns it with six digits`, () => {
    const read = toMicroseconds(`2026-11-28T09:00:00${fraction}Z`)
    assert.equal(read, NINE + us)
    assert.equal(fromMicroseconds(read), `2026-11-28T09:00:00.${String(us).padStart(6, '0')}Z`)
  })
}

test('rejects a time without a zone, and text that is no time', () => {
  for (const moment of ['2026-11-28T09:00:00', 'nine o’clockZ', '']) {
    assert.throws(() => toMicroseconds(moment), /the form 2026-11-28T09:00:00.123456Z/)
  }
})
