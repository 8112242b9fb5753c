import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column } from '@lapwing/telemetry'
import { createColumnCache } from './column-cache.ts'

const column = (name: string, rows: number): Column => ({
  name,
  type: 'float',
  count: 1,
  unit: '',
  values: new Float32Array(rows),
})

test('holds no more bytes than it may, and removes what was used longest ago', () => {
  const cache = createColumnCache(40)
  for (const name of ['a', 'b']) cache.set(name, column(name, 5))
  cache.get('a')
  cache.set('c', column('c', 5))
  assert.deepEqual(
    ['a', 'b', 'c'].map(name => cache.get(name)?.name),
    ['a', undefined, 'c'],
  )
  cache.set('c', column('c', 4))
  cache.set('d', column('d', 1))
  assert.ok(cache.get('a'), 'a replaced column no longer counts')
})

test('holds a column that is larger than its bound alone, until the next comes', () => {
  const cache = createColumnCache(10)
  cache.set('a', column('a', 50))
  assert.ok(cache.get('a'))
  cache.set('b', column('b', 1))
  assert.equal(cache.get('a'), undefined)
  assert.ok(cache.get('b'))
})
