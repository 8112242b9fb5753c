import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SelectKeys, type SelectState, selectKey } from './select-keys.ts'

const labels = ['Lap 1', 'Lap 2', 'Lap 12', 'Out lap', 'In lap']

function press(key: string, state: Partial<SelectState> = {}, keys = fresh(), nowMs = 10_000) {
  return selectKey({ key, altKey: false }, { isOpen: true, active: 1, labels, ...state }, keys, nowMs)
}

const fresh = (): SelectKeys => ({ typed: '', typedAtMs: 0 })

test('opens a closed list at its chosen option by the arrows, Enter and the space bar', () => {
  for (const key of ['ArrowDown', 'ArrowUp', 'Enter', ' ']) {
    assert.deepEqual(press(key, { isOpen: false }), { kind: 'move', index: 1, isHandled: true }, key)
  }
  assert.equal(press('Escape', { isOpen: false }), null)
  assert.equal(press('Tab', { isOpen: false }), null)
})

test('moves within the list and never leaves it', () => {
  const index = (key: string, active: number) => {
    const effect = press(key, { active })
    return effect?.kind === 'move' ? effect.index : null
  }
  assert.equal(index('ArrowDown', 1), 2)
  assert.equal(index('ArrowDown', 4), 4)
  assert.equal(index('ArrowUp', 0), 0)
  assert.equal(index('Home', 3), 0)
  assert.equal(index('End', 0), 4)
  assert.equal(index('PageDown', 0), 4)
  assert.equal(index('PageUp', 4), 0)
})

test('chooses on Enter, the space bar and Tab; Tab goes on to the next control', () => {
  assert.deepEqual(press('Enter'), { kind: 'choose', index: 1, isHandled: true })
  assert.deepEqual(press(' '), { kind: 'choose', index: 1, isHandled: true })
  assert.deepEqual(press('Tab'), { kind: 'choose', index: 1, isHandled: false })
})

test('closes on Escape and chooses nothing', () => {
  assert.deepEqual(press('Escape'), { kind: 'close', isHandled: true })
})

test('finds the next label that begins with the letters, which can include a space', () => {
  const keys = fresh()
  const typed = Array.from('lap 12', (letter, index) => press(letter, { active: 0 }, keys, 1000 + index * 50))
  assert.deepEqual(typed.at(-1), { kind: 'move', index: 2, isHandled: true })
})

test('cycles through labels on the same letter, and starts over after a pause', () => {
  const keys = fresh()
  assert.deepEqual(press('l', { active: 0 }, keys, 1000), { kind: 'move', index: 1, isHandled: true })
  assert.deepEqual(press('l', { active: 2 }, keys, 1100), { kind: 'move', index: 0, isHandled: true })
  assert.deepEqual(press('o', { active: 0 }, keys, 3000), { kind: 'move', index: 3, isHandled: true })
  assert.equal(press('z', { active: 0 }, keys, 9000), null)
})

test('ignores keys in an empty list', () => {
  assert.equal(press('ArrowDown', { labels: [] }), null)
})
