import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCipher } from './cipher.ts'

const cipher = createCipher(Buffer.alloc(32, 1))

test('opens a sealed text with the same key and label', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, label) => {
      assert.equal(cipher.open(cipher.seal(text, label), label), text)
    }),
  )
})

test('rejects another key or label, and changed or cut bytes', () => {
  const sealed = cipher.seal('a secret', 'label')
  assert.throws(() => createCipher(Buffer.alloc(32, 2)).open(sealed, 'label'))
  assert.throws(() => cipher.open(sealed, 'other'))
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed[index] = changed[index]! ^ 1
    assert.throws(() => cipher.open(changed, 'label'), `byte ${index}`)
    assert.throws(() => cipher.open(sealed.subarray(0, index), 'label'), `${index} bytes`)
  }
})

test('seals a text differently each time, and digests it the same under one label', () => {
  assert.notDeepEqual(cipher.seal('text', 'label'), cipher.seal('text', 'label'))
  assert.deepEqual(cipher.digest('text', 'label'), cipher.digest('text', 'label'))
  assert.notDeepEqual(cipher.digest('text', 'label'), cipher.digest('text', 'other'))
  assert.notDeepEqual(cipher.digest('b\0c', 'a'), cipher.digest('c', 'a\0b'))
})
