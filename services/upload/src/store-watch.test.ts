import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStoreWatch } from './store-watch.ts'

function watched(goodForMs = { up: 60_000, down: 60_000 }) {
  const state = { calls: 0, isUp: true, logged: [] as string[] }
  const log = (...said: readonly unknown[]) => void state.logged.push(String(said.at(-1)))
  const watch = createStoreWatch(
    {
      async check() {
        state.calls++
        if (!state.isUp) throw new Error('away')
      },
    },
    { info: log, warn: log },
    goodForMs,
  )
  return { watch, state }
}

test('a hundred who ask at once are one question, and its answer is good for a while', async () => {
  const { watch, state } = watched()
  const answers = await Promise.all(Array.from({ length: 100 }, () => watch.isUp()))
  assert.deepEqual(new Set(answers), new Set([true]))
  await watch.isUp()
  assert.equal(state.calls, 1)
})

test('a store that goes and comes back is noticed, and told in the log once each', async () => {
  const { watch, state } = watched({ up: 0, down: 0 })
  for (const isUp of [true, true, false, false, true, true]) {
    state.isUp = isUp
    assert.equal(await watch.isUp(), isUp)
  }
  assert.deepEqual(state.logged, ['the object store cannot be reached', 'the object store is back'])
})
