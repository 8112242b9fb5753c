import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { readOptions } from './options.ts'

test('loads a Lapwing of its own at the rate of the scenario, if nothing is said', () => {
  const { scenario, rate, isSearch, target, sizesMib } = readOptions({})
  assert.equal(scenario.name, 'browse')
  assert.deepEqual([rate, isSearch, target, sizesMib], [{ from: 10, to: 10 }, false, null, null])
})

test('reads scenario, ramp, target and sizes', () => {
  const env = {
    SCENARIO: 'ingest',
    RATE: '1-8',
    DURATION: '60',
    TARGET: 'http://lapwing.test/x',
    SIZES: '2,100',
  }
  const { scenario, rate, durationS, target, sizesMib } = readOptions(env)
  assert.equal(scenario.name, 'ingest')
  assert.deepEqual(
    [rate, durationS, target, sizesMib],
    [{ from: 1, to: 8 }, 60, 'http://lapwing.test', [2, 100]],
  )
})

test('begins a search low', () => {
  assert.deepEqual(readOptions({ SCENARIO: 'ingest', SEARCH: 'true' }).rate, { from: 2, to: 2 })
})

for (const [name, value] of Object.entries({
  RATE: 'fast',
  SIZES: '2,200',
  SCENARIO: 'all',
  TARGET: 'here',
})) {
  test(`refuses an impossible ${name} with a sentence`, () => {
    assert.throws(
      () => readOptions({ [name]: value }),
      (error: Error) => error instanceof ConfigError && error.message.includes(name),
    )
  })
}
