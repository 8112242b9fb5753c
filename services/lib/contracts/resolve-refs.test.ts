import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveRefs } from './resolve-refs.ts'

test('a reference becomes what it names, through other references, and one object for all who name it', () => {
  const resolved = resolveRefs({
    a: [{ $ref: '#/parts/one' }],
    b: { $ref: '#/parts/one' },
    parts: { one: { two: { $ref: '#/parts/x~1y' } }, 'x/y': { type: 'string' } },
  }) as unknown as { a: object[]; b: object }
  assert.deepEqual(resolved.b, { two: { type: 'string' } })
  assert.equal(resolved.a[0], resolved.b)
})

test('a reference to nothing and one in a circle are named', () => {
  assert.throws(() => resolveRefs({ a: { $ref: '#/b' } }), /nothing at #\/b/)
  assert.throws(() => resolveRefs({ a: { $ref: '#/a' } }), /refers to itself at #\/a/)
})
