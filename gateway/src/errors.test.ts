import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractCodes } from '@lapwing/contracts/codes'
import contract from '@lapwing/contracts/gateway.json' with { type: 'json' }
import { errors } from './errors.ts'

test('lists the codes of the contract and no others', () => {
  assert.deepEqual(Object.keys(errors).sort(), contractCodes(contract))
})

test('has an error status, a title and a sentence for every code', () => {
  for (const [code, { status, title, detail }] of Object.entries(errors)) {
    assert.ok(status >= 400 && status <= 599, code)
    assert.match(title, /^[A-Z][^.]*$/, code)
    assert.match(detail, /^[A-Z].*\.$/, code)
  }
})
