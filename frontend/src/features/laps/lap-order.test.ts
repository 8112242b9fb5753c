import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap } from '@lapwing/telemetry'
import fc from 'fast-check'
import { defaultLap, hiddenLapsText, orderLaps, selectedLap, visibleLaps, withSelected } from './lap-order.ts'

function aLap(lap: number, change: Partial<Lap> = {}): Lap {
  const time_s = change.time_s === undefined ? 60 + lap : change.time_s
  return {
    lap,
    is_completed: true,
    is_clean: true,
    reasons: [],
    incidents: [],
    time_fmt: time_s === null ? null : `1:${time_s}`,
    time_source: 'official',
    row_start: lap * 100,
    row_end: lap * 100 + 99,
    session_num: 0,
    session_name: null,
    ...change,
    time_s,
  }
}

const out = aLap(1, { is_completed: false, is_clean: false, reasons: ['NO_OPEN', 'OUT'], time_s: null })
const unfinished = aLap(5, { is_completed: false, is_clean: false, reasons: ['NO_CLOSE'], time_s: null })
const session = [
  out,
  aLap(2, { time_s: 51.4 }),
  aLap(3, { time_s: 51.1 }),
  aLap(4, { time_s: 51.4 }),
  unfinished,
]
const numbers = (laps: readonly Lap[]) => laps.map(({ lap }) => lap)

test('sorts by completed, then by time, then by lap number', () => {
  assert.deepEqual(numbers(orderLaps(session)), [3, 2, 4, 1, 5])
})

test('sorts independently of the order in the file', () => {
  const reset = [aLap(8, { time_s: null, row_start: 5 }), aLap(8, { time_s: null, row_start: 900 })]
  fc.assert(
    fc.property(fc.shuffledSubarray([...session, ...reset], { minLength: 7 }), laps => {
      assert.deepEqual(orderLaps(laps), orderLaps([...session, ...reset]))
    }),
  )
})

test('counts only valid laps as completed', () => {
  assert.deepEqual(numbers(visibleLaps(session, true)), [3, 2, 4])
  assert.deepEqual(numbers(visibleLaps(session, false)), [3, 2, 4, 1, 5])
})

test('selects the fastest completed lap first, or the first lap if none is complete', () => {
  assert.equal(defaultLap(session)?.lap, 3)
  const faster = aLap(6, { time_s: 20, is_completed: false, reasons: ['JUMP'] })
  assert.equal(defaultLap([...session, faster])?.lap, 3)
  assert.equal(defaultLap([unfinished, out])?.lap, 5)
  assert.equal(defaultLap([]), undefined)
})

test('falls back to the first lap if the selected lap is no longer shown', () => {
  const visible = visibleLaps(session, true)
  assert.equal(selectedLap(visible, 400)?.lap, 4)
  assert.equal(selectedLap(visible, unfinished.row_start)?.lap, 3)
  assert.equal(selectedLap(visible, null)?.lap, 3)
  assert.equal(selectedLap([], 400), undefined)
})

test('counts the hidden laps and names their reasons', () => {
  assert.equal(hiddenLapsText(session), '2 partial laps hidden: out lap, unfinished')
  assert.equal(hiddenLapsText([out]), '1 partial lap hidden: out lap')
  assert.equal(hiddenLapsText([out, out, unfinished]), '3 partial laps hidden: out lap × 2, unfinished')
  assert.equal(hiddenLapsText([aLap(2)]), null)
})

test('has a selected lap behind the others if it is none of them', () => {
  const laps = [aLap(1), aLap(2), aLap(3)]
  assert.deepEqual(withSelected(laps.slice(0, 2), laps[2]), laps)
  assert.deepEqual(withSelected(laps, laps[1]), laps)
  assert.deepEqual(withSelected(laps, undefined), laps)
})
