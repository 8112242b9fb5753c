import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BaseState, createBaseWatch } from './base-watch.ts'

function watched() {
  const states: BaseState[] = []
  return { states, watch: createBaseWatch(state => states.push(state)) }
}

test('shows the pictures from the first tile on', () => {
  const { states, watch } = watched()
  assert.equal(watch.get(), 'waiting')
  watch.tileFailed()
  watch.tileLoaded()
  watch.tileLoaded()
  watch.settle()
  assert.deepEqual(states, ['shown'])
})

test('misses the pictures after several failures, or if no request is open and none arrived', () => {
  const failing = watched()
  for (let i = 0; i < 5; i++) failing.watch.tileFailed()
  assert.deepEqual(failing.states, ['missing'])
  const absent = watched()
  absent.watch.settle()
  absent.watch.settle()
  assert.deepEqual(absent.states, ['missing'])
})

test('reports later failures, and recovers with the next tile', () => {
  const { states, watch } = watched()
  watch.tileLoaded()
  for (let i = 0; i < 4; i++) watch.tileFailed()
  watch.tileLoaded()
  assert.deepEqual(states, ['shown', 'broken', 'shown'])
})

test('ignores single failures between tiles that arrive', () => {
  const { states, watch } = watched()
  for (let i = 0; i < 10; i++) {
    watch.tileFailed()
    watch.tileFailed()
    watch.tileLoaded()
  }
  assert.deepEqual(states, ['shown'])
})
