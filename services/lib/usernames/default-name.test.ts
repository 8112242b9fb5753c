import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultNameOf } from './default-name.ts'

test('derives one name from an account id, in the form of generated names', () => {
  const names = Array.from({ length: 1000 }, (_, n) => defaultNameOf(`user-live-${n}`))
  for (const name of names) assert.match(name, /^user[a-z0-9]{7}$/)
  assert.equal(new Set(names).size, 1000)
  assert.equal(defaultNameOf('user-live-1'), names[1])
})
