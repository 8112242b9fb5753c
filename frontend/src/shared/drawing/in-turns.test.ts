import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurns } from './in-turns.ts'

function harness(count: number) {
  const tasks: (() => void)[] = []
  const seen: (number | 'done')[] = []
  const draw = inTurns(
    count,
    index => seen.push(index),
    () => seen.push('done'),
    task => tasks.push(task),
  )
  const run = (times = 100) => {
    for (let i = 0; i < times && tasks.length > 0; i++) tasks.shift()!()
  }
  return { draw, seen, tasks, run }
}

test('does one piece a task', () => {
  const { draw, seen, run } = harness(3)
  draw()
  run(1)
  assert.deepEqual(seen, [0])
  run()
  assert.deepEqual(seen, [0, 1, 2, 'done'])
})

test('does all again after a change, and none is left out during many changes', () => {
  const { draw, seen, run } = harness(3)
  for (let change = 0; change < 4; change++) {
    draw()
    run(2)
  }
  assert.deepEqual(seen, [0, 1, 2, 0, 1, 2, 0, 1])
  run()
  // Each was drawn after the last change.
  assert.deepEqual(seen.slice(6), [0, 1, 2, 'done'])
})

test('posts one task at a time, and nothing happens after the end', () => {
  const { draw, seen, tasks, run } = harness(3)
  draw()
  draw()
  assert.equal(tasks.length, 1)
  draw.stop()
  run()
  assert.deepEqual(seen, [])
})
