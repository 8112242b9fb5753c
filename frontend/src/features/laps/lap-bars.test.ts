import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap } from '@lapwing/telemetry'
import { lapBars } from './lap-bars.ts'

const lap = (row_start: number, time_s: number | null, is_completed = true) =>
  ({ row_start, time_s, is_completed }) as Lap

test('draws the fastest bar whole, the slowest a quarter, and the others between by their time', () => {
  const bars = lapBars([lap(0, 62), lap(1, 60), lap(2, 61)])
  assert.deepEqual(bars.get(1), { deltaS: 0, share: 1 })
  assert.deepEqual(bars.get(0), { deltaS: 2, share: 0.25 })
  assert.deepEqual(bars.get(2), { deltaS: 1, share: 0.625 })
})

test('draws laps within a few thousandths alike', () => {
  const bars = lapBars([lap(0, 60), lap(1, 60.006)])
  assert.ok(bars.get(1)!.share > 0.99)
})

test('shows the gap between the times that are shown, not between their unrounded values', () => {
  // 0:51.403 and 0:51.290.
  const bars = lapBars([lap(0, 51.4034), lap(1, 51.2896)])
  assert.ok(Math.abs(bars.get(0)!.deltaS - 0.113) < 1e-9)
})

test('draws no bar for partial laps and laps without a time, and ignores them for the others', () => {
  const bars = lapBars([lap(0, 60), lap(1, 20, false), lap(2, null)])
  assert.deepEqual([...bars.keys()], [0])
  assert.deepEqual(lapBars([]), new Map())
})
