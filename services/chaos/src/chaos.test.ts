import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { runTrials } from './wave/run-trials.ts'

/** Another one each time; a failure says the line that plays it again. */
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const trials = Number(process.env.TRIALS ?? 60)

test(`${trials} files under faults: acknowledged once and exactly, else once or never, and nothing left behind`, async t => {
  const said: string[] = []
  const say = (line: string) => {
    said.push(line)
    t.diagnostic(line)
  }
  const result = await runTrials({ trials, seed, say })
  assert.deepEqual(result.failures, [], said.join('\n'))
  assert.equal(result.trials, trials)
  assert.ok(result.acknowledged > 0 && result.faults > 0)
})
