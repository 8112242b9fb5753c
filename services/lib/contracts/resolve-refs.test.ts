import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveRefs } from './resolve-refs.ts'

test('replaces a reference by its target, through other references, as one shared object', () => {
  const resolved = resolveRefs({
    a: [{ $ref: '#/parts/one' }],
    b: { $ref: '#/parts/one' },
    parts: { one: { two: { $ref: '#/parts/x~1y' } }, 'x/y': { type: 'string' } },
  }) as unknown as { a: object[]; b: object }
  assert.deepEqual(resolved.b, { two: { type: 'string' } })
  assert.equal(resolved.a[0], resolved.b)
})

test('names a reference without a target, and one in a circle', () => {
  assert.throws(() => resolveRefs({ a: { $ref: '#/b' } }), /nothing at #\/b/)
  assert.throws(() => resolveRefs({ a: { $ref: '#/a' } }), /refers to itself at #\/a/)
})
