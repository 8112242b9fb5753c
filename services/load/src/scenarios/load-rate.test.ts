import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivalsOf, readRate } from './load-rate.ts'

test('spaces the arrivals of a constant rate evenly', () => {
  assert.deepEqual([...arrivalsOf({ from: 4, to: 4 }, 1)], [0, 250, 500, 750])
})

for (const rate of [
  { from: 0.5, to: 100 },
  { from: 100, to: 0.5 },
]) {
  test(`has the mean of both rates in a ramp from ${rate.from} to ${rate.to}, and changes evenly`, () => {
    const arrivals = [...arrivalsOf(rate, 20)]
    assert.ok(Math.abs(arrivals.length - 20 * 50.25) <= 1, String(arrivals.length))
    assert.ok(arrivals.every((ms, index) => index === 0 || ms > arrivals[index - 1]!))
    const before = (ms: number) => arrivals.filter(at => at < ms).length
    // The first half has the mean of the rates at its start and its end.
    assert.ok(Math.abs(before(10_000) - (10 * (rate.from + 50.25)) / 2) <= 1, String(before(10_000)))
  })
}

test('reads a rate and a ramp, and nothing else', () => {
  assert.deepEqual(readRate('20'), { from: 20, to: 20 })
  assert.deepEqual(readRate('0.5-50'), { from: 0.5, to: 50 })
  for (const text of ['', '0', '-1', '5-', '5-0', '1-2-3', 'fast', '10001', 'Infinity', 'NaN']) {
    assert.equal(readRate(text), null, text)
  }
})
