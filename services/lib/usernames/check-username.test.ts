import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkUsername, isDefaultUsername, usernameKey } from './check-username.ts'

const letters = 'Username can only contain letters, numbers, underscores, and hyphens'
const inappropriate = 'Username contains inappropriate content'

for (const [text, problem] of [
  ['', 'Username is required'],
  ['   ', 'Username is required'],
  ['ab', 'Username must be at least 3 characters long'],
  [' ab ', 'Username must be at least 3 characters long'],
  ['a'.repeat(21), 'Username must be at most 20 characters long'],
  ['1abc', 'Username must start with a letter'],
  ['_abc', 'Username must start with a letter'],
  ['élan', 'Username must start with a letter'],
  ['ab c', letters],
  ['abé', letters],
  ['abc!', letters],
  ['abc🏁', letters],
  ['abc\n', null],
  ['abc\u0000d', letters],
  ['fuck', inappropriate],
  ['f_u-c_k', inappropriate],
  ['FuUuCk123', inappropriate],
  ['sh1thead', inappropriate],
  ['nazi_driver', inappropriate],
  ['h1tler', inappropriate],
  ['MurderCar', inappropriate],
  ['kys', inappropriate],
] as const) {
  test(`"${text.replace(/[\n\0]/g, '?')}" ${problem === null ? 'is allowed once trimmed' : `is refused: ${problem}`}`, () => {
    const verdict = checkUsername(text)
    if (problem === null) assert.deepEqual(verdict, { username: text.trim() })
    else assert.deepEqual(verdict, { problem })
  })
}

for (const name of [
  'abc',
  'a'.repeat(20),
  'apexhunter',
  'late_braker',
  'Kerb-Rider',
  'scunthorpe',
  'Assassin1',
  'dickson',
  'user1a2b3c4',
  'Lynchburg',
  'skillful',
  'cassidy',
  'kkkarl',
]) {
  test(`"${name}" is allowed`, () => {
    assert.deepEqual(checkUsername(name), { username: name })
  })
}

test('whatever is allowed is its own trimmed self, and allowed again', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 24 }), text => {
      const verdict = checkUsername(text)
      if (!('username' in verdict)) return
      assert.equal(verdict.username, text.trim())
      assert.match(verdict.username, /^[A-Za-z][A-Za-z0-9_-]{2,19}$/)
      assert.deepEqual(checkUsername(verdict.username), verdict)
    }),
  )
})

test('100,000 characters are judged at once', () => {
  assert.deepEqual(checkUsername('a'.repeat(100_000)), {
    problem: 'Username must be at most 20 characters long',
  })
})

test('names that differ in case are one name', () => {
  assert.equal(usernameKey('ApexHunter'), usernameKey('apexhunter'))
})

test('a default name is the word user and seven letters or digits', () => {
  assert.equal(isDefaultUsername('user1a2b3c4'), true)
  for (const name of ['user1a2b3c', 'user1a2b3c45', 'driver1a2b3', 'user1a2b3c_'])
    assert.equal(isDefaultUsername(name), false)
})
