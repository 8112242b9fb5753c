import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SelectKeys, type SelectState, selectKey } from './select-keys.ts'

const labels = ['Lap 1', 'Lap 2', 'Lap 12', 'Out lap', 'In lap']

function press(key: string, state: Partial<SelectState> = {}, keys = fresh(), nowMs = 10_000) {
  return selectKey({ key, altKey: false }, { isOpen: true, active: 1, labels, ...state }, keys, nowMs)
}

const fresh = (): SelectKeys => ({ typed: '', typedAtMs: 0 })

test('a closed list opens where it stands, by the arrows, Enter and the space bar', () => {
  for (const key of ['ArrowDown', 'ArrowUp', 'Enter', ' ']) {
    assert.deepEqual(press(key, { isOpen: false }), { kind: 'move', index: 1, isTaken: true }, key)
  }
  assert.equal(press('Escape', { isOpen: false }), null)
  assert.equal(press('Tab', { isOpen: false }), null)
})

test('keys move within the list and never leave it', () => {
  const index = (key: string, active: number) => {
    const deed = press(key, { active })
    return deed?.kind === 'move' ? deed.index : null
  }
  assert.equal(index('ArrowDown', 1), 2)
  assert.equal(index('ArrowDown', 4), 4)
  assert.equal(index('ArrowUp', 0), 0)
  assert.equal(index('Home', 3), 0)
  assert.equal(index('End', 0), 4)
  assert.equal(index('PageDown', 0), 4)
  assert.equal(index('PageUp', 4), 0)
})

test('Enter, the space bar and Tab choose; Tab goes on to the next control', () => {
  assert.deepEqual(press('Enter'), { kind: 'choose', index: 1, isTaken: true })
  assert.deepEqual(press(' '), { kind: 'choose', index: 1, isTaken: true })
  assert.deepEqual(press('Tab'), { kind: 'choose', index: 1, isTaken: false })
})

test('Escape closes and chooses nothing', () => {
  assert.deepEqual(press('Escape'), { kind: 'close', isTaken: true })
})

test('letters find the next label that begins with them, a space among them too', () => {
  const keys = fresh()
  const typed = Array.from('lap 12', (letter, index) => press(letter, { active: 0 }, keys, 1000 + index * 50))
  assert.deepEqual(typed.at(-1), { kind: 'move', index: 2, isTaken: true })
})

test('the same letter again goes round, and a pause begins anew', () => {
  const keys = fresh()
  assert.deepEqual(press('l', { active: 0 }, keys, 1000), { kind: 'move', index: 1, isTaken: true })
  assert.deepEqual(press('l', { active: 2 }, keys, 1100), { kind: 'move', index: 0, isTaken: true })
  assert.deepEqual(press('o', { active: 0 }, keys, 3000), { kind: 'move', index: 3, isTaken: true })
  assert.equal(press('z', { active: 0 }, keys, 9000), null)
})

test('an empty list hears nothing', () => {
  assert.equal(press('ArrowDown', { labels: [] }), null)
})
