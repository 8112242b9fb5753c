import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap } from '@lapwing/telemetry'
import { aPreview } from '#testing/a-preview.ts'
import { chosenReference, sessionReferences } from './session-references.ts'

const [out, first, second, third, last] = aPreview({ completeLaps: 3 }).laps as [Lap, Lap, Lap, Lap, Lap]
const laps = [out, { ...first, time_s: 92 }, { ...second, time_s: 90 }, { ...third, time_s: 91 }, last]

test('a lap can be compared with the other completed ones, the fastest first', () => {
  assert.deepEqual(
    sessionReferences(laps, laps[2]!).map(lap => lap.lap),
    [third.lap, first.lap],
  )
  assert.deepEqual(
    sessionReferences(laps, out).map(lap => lap.lap),
    [second.lap, third.lap, first.lap],
  )
})

test('laps without a time are no references', () => {
  const untimed = [out, { ...first, time_s: null }, { ...second, time_s: Number.NaN }]
  assert.deepEqual(sessionReferences(untimed, out), [])
})

test('the fastest is the reference until another is chosen, and again where that is the lap itself', () => {
  const references = sessionReferences(laps, laps[1]!)
  assert.equal(chosenReference(references, null)?.lap, second.lap)
  assert.equal(chosenReference(references, third.row_start)?.lap, third.lap)
  assert.equal(chosenReference(references, first.row_start)?.lap, second.lap)
  assert.equal(chosenReference([], null), undefined)
})
