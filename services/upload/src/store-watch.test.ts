import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStoreWatch } from './store-watch.ts'

function watched(validForMs = { up: 60_000, down: 60_000 }) {
  const state = { calls: 0, isUp: true, logged: [] as string[] }
  const log = (...args: readonly unknown[]) => void state.logged.push(String(args.at(-1)))
  const watch = createStoreWatch(
    {
      async check() {
        state.calls++
        if (!state.isUp) throw new Error('down')
      },
    },
    { info: log, warn: log },
    validForMs,
  )
  return { watch, state }
}

test('checks the store once for a hundred simultaneous calls, and caches the result', async () => {
  const { watch, state } = watched()
  const answers = await Promise.all(Array.from({ length: 100 }, () => watch.isUp()))
  assert.deepEqual(new Set(answers), new Set([true]))
  await watch.isUp()
  assert.equal(state.calls, 1)
})

test('notices that the store goes down and returns, and logs each once', async () => {
  const { watch, state } = watched({ up: 0, down: 0 })
  for (const isUp of [true, true, false, false, true, true]) {
    state.isUp = isUp
    assert.equal(await watch.isUp(), isUp)
  }
  assert.deepEqual(state.logged, ['the object store cannot be reached', 'the object store is back'])
})
