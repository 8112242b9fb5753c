import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  exactly,
  fieldsOf,
  finite,
  fit,
  flag,
  listOf,
  optional,
  orNull,
  parseJson,
  recordOf,
  type Shape,
  ShapeError,
  someText,
  text,
  whole,
} from './shapes.ts'

interface Sample {
  readonly ok: true
  readonly rank: number
  readonly share: number
  readonly name: string | null
  readonly rows: readonly { readonly isClean: boolean }[]
  readonly note?: string | undefined
  readonly fields: Readonly<Record<string, string>>
}

const isSample = fieldsOf<Sample>({
  ok: exactly(true),
  rank: whole,
  share: finite,
  name: orNull(text),
  rows: listOf(fieldsOf<{ readonly isClean: boolean }>({ isClean: flag })),
  note: optional(text),
  fields: recordOf(text),
})

const good: Sample = {
  ok: true,
  rank: 1,
  share: 0.5,
  name: null,
  rows: [{ isClean: true }],
  fields: { a: 'b' },
}

test('accepts a value of the shape, with or without optional fields, and with unknown ones', () => {
  for (const value of [good, { ...good, note: 'n', name: 'x' }, { ...good, more: [1] }]) {
    assert.equal(fit(isSample, value, 'a test'), value)
  }
})

test('rejects a field that is missing or has another type', () => {
  const bad: object[] = [
    { ok: false },
    { rank: 1.5 },
    { rank: '1' },
    { rank: Number.MAX_VALUE },
    { share: Number.NaN },
    { name: 3 },
    { rows: {} },
    { rows: [{ isClean: 1 }] },
    { rows: [null] },
    { note: null },
    { fields: { a: 1 } },
    { fields: ['a'] },
    ...Object.keys(good).map(name => ({ [name]: undefined })),
  ]
  for (const change of bad) {
    assert.throws(() => fit(isSample, { ...good, ...change }, 'a test'), ShapeError, JSON.stringify(change))
  }
})

test('throws nothing of its own, for any value', () => {
  const shapes: Shape<unknown>[] = [isSample, listOf(isSample), recordOf(text)]
  fc.assert(
    fc.property(fc.anything(), value => {
      for (const shape of shapes) assert.equal(typeof shape(value), 'boolean')
    }),
  )
})

test('parses JSON of a shape, and returns null for any other text', () => {
  const isEntry = fieldsOf<{ readonly name: string }>({ name: someText })
  assert.deepEqual(parseJson(isEntry, '{"name":"a","more":1}'), { name: 'a', more: 1 })
  for (const json of [null, '', 'null', '{', '[]', '"a"', '{"name":""}', '{"name":7}']) {
    assert.equal(parseJson(isEntry, json), null, String(json))
  }
})
