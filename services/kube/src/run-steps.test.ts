import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSteps, type Step } from './run-steps.ts'

const never = new AbortController().signal

function aStep(name: string, more: Partial<Step<string[]>> = {}): Step<string[]> {
  return {
    name,
    run: async done => {
      done.push(name)
      return `${name} done`
    },
    ...more,
  }
}

const failing = (name: string, more: Partial<Step<string[]>> = {}) =>
  aStep(name, { run: () => Promise.reject(new Error('it broke\n  badly')), ...more })

async function outcomes(
  steps: readonly Step<string[]>[],
  only: readonly string[] | null = null,
  signal = never,
) {
  const done: string[] = []
  const results = await runSteps(steps, done, { only, signal, say: () => {}, now: () => 0 })
  return { done, results: results.map(({ name, outcome }) => `${name} ${outcome}`), all: results }
}

test('runs the steps in order and returns their figures', async () => {
  const { done, all } = await outcomes([aStep('a'), aStep('b')])
  assert.deepEqual(done, ['a', 'b'])
  assert.deepEqual(all[0], { name: 'a', outcome: 'ok', seconds: 0, figures: 'a done' })
})

test('goes on after a failed step, and gives the reason in one line', async () => {
  const { results, all } = await outcomes([failing('a'), aStep('b')])
  assert.deepEqual(results, ['a failed', 'b ok'])
  assert.equal(all[0]!.figures, 'it broke; badly')
})

test('skips the rest after a needed step failed, but not the final steps', async () => {
  const steps = [failing('a', { isNeeded: true }), aStep('b'), aStep('c', { isFinal: true })]
  const { results } = await outcomes(steps)
  assert.deepEqual(results, ['a failed', 'b skipped', 'c ok'])
})

test('skips the rest after a stop, but not the final steps', async () => {
  const stop = new AbortController()
  const stopping = aStep('a', {
    run: async () => {
      stop.abort()
      return ''
    },
  })
  const { results } = await outcomes([stopping, aStep('b'), aStep('c', { isFinal: true })], null, stop.signal)
  assert.deepEqual(results, ['a ok', 'b skipped', 'c ok'])
})

test('runs only the named steps, in the order of all', async () => {
  const { done, results } = await outcomes([aStep('a'), aStep('b'), aStep('c')], ['c', 'a'])
  assert.deepEqual(done, ['a', 'c'])
  assert.deepEqual(results, ['a ok', 'c ok'])
})

test('refuses an unknown name before any step runs', async () => {
  await assert.rejects(outcomes([aStep('a')], ['a', 'x']), /There is no step x. The steps are a./)
})
