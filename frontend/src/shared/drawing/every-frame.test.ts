import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyFrame } from './every-frame.ts'

function harness() {
  const due = new Map<number, () => void>()
  let handle = 0
  let worked = 0
  const task = everyFrame(
    () => worked++,
    callback => {
      due.set(++handle, () => callback(0))
      return handle
    },
    id => due.delete(id),
  )
  const frame = () => {
    const callbacks = [...due.values()]
    due.clear()
    for (const callback of callbacks) callback()
  }
  return { task, frame, worked: () => worked }
}

test('works once a frame for many calls', () => {
  const { task, frame, worked } = harness()
  task()
  task()
  task()
  assert.equal(worked(), 0)
  frame()
  assert.equal(worked(), 1)
  frame()
  assert.equal(worked(), 1)
  task()
  frame()
  assert.equal(worked(), 2)
})

test('does no cancelled work, and can be called again', () => {
  const { task, frame, worked } = harness()
  task()
  task.cancel()
  frame()
  assert.equal(worked(), 0)
  task()
  frame()
  assert.equal(worked(), 1)
})
