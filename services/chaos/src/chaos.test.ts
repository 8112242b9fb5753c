import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { runTrials } from './wave/run-trials.ts'

/** A new seed in each run. A failure prints the command that repeats it. */
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const trials = Number(process.env.TRIALS ?? 60)

test(`stores each of ${trials} files once under faults if acknowledged, else at most once, and leaves nothing behind`, async t => {
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
