import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractCodes } from './codes.ts'

test('finds codes wherever they are listed, each once, sorted', () => {
  const contract = {
    'x-codes': ['a.not_found'],
    components: {
      responses: {
        Problem: { 'x-codes': ['a.too_large', 'a.bad_form'] },
        Busy: { 'x-codes': ['a.busy', 'a.bad_form'], content: [{ schema: { 'x-codes': ['a.deep'] } }] },
      },
    },
  }
  assert.deepEqual(contractCodes(contract), ['a.bad_form', 'a.busy', 'a.deep', 'a.not_found', 'a.too_large'])
})

test('finds none in a contract without codes', () => {
  assert.deepEqual(contractCodes({ paths: {}, 'x-codes': 'not a list', info: null }), [])
})
