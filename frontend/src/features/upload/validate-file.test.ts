import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validateFile } from './validate-file.ts'

test('requires a name that ends in .ibt, in any case of letters', () => {
  for (const name of ['a.ibt', 'A.IBT', 'a.b.Ibt']) assert.equal(validateFile({ name, size: 1 }), null, name)
  for (const name of ['a.txt', 'ibt', 'a.ibt.zip', 'aibt', '']) {
    assert.equal(validateFile({ name, size: 1 }), 'Only .ibt files are supported.', name)
  }
})

test('accepts a file of exactly 100 MB, and rejects one byte more', () => {
  assert.equal(validateFile({ name: 'a.ibt', size: 104_857_600 }), null)
  assert.equal(validateFile({ name: 'a.ibt', size: 104_857_601 }), 'File is larger than 100 MB.')
})

test('checks the name before the size', () => {
  assert.equal(validateFile({ name: 'a.zip', size: 104_857_601 }), 'Only .ibt files are supported.')
})
