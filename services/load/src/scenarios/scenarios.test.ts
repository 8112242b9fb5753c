import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILE_SIZES_MIB, type Journey, journeyOf, scenarios } from './scenarios.ts'
import { k6Thresholds, thresholdsOf } from './thresholds.ts'

for (const scenario of Object.values(scenarios)) {
  test(`makes each journey of ${scenario.name} as often as its share, and numbers it without a gap`, () => {
    const numbers = new Map<Journey, number[]>()
    for (let arrival = 0; arrival < 300; arrival++) {
      const { journey, before } = journeyOf(scenario, arrival)
      numbers.set(journey, [...(numbers.get(journey) ?? []), before])
    }
    for (const [journey, share] of Object.entries(scenario.mix)) {
      const expected = Array.from({ length: 3 * share }, (_, index) => index)
      assert.deepEqual(numbers.get(journey as Journey), expected)
    }
  })

  test(`limits the times of every journey of ${scenario.name}`, () => {
    const limited = new Set(thresholdsOf(scenario).flatMap(({ journey }) => journey ?? []))
    assert.deepEqual([...limited].sort(), Object.keys(scenario.mix).sort())
  })
}

test('uploads files of 2 to 100 MiB, most of them small', () => {
  const count = (mib: number) => FILE_SIZES_MIB.filter(size => size === mib).length
  assert.deepEqual([count(2), count(20), count(100)], [39, 10, 1])
})

test('writes thresholds in the language of k6', () => {
  assert.deepEqual(k6Thresholds(thresholdsOf(scenarios.browse)), {
    dropped_iterations: ['count<=0'],
    lapwing_failed: ['count<=0'],
    lapwing_refused: ['count<=0'],
    'lapwing_journey{journey:browse}': ['p(95)<=500', 'p(99)<=1500'],
  })
})
