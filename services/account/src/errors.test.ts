import assert from 'node:assert/strict'
import { test } from 'node:test'
import contract from '@lapwing/contracts/account.json' with { type: 'json' }
import { contractCodes } from '@lapwing/contracts/codes'
import { errors } from './errors.ts'

test('lists the same codes in the error table and the contract', () => {
  // The contract has 429 too, but the gateway sends it with a code of its own.
  assert.deepEqual(Object.keys(errors).sort(), contractCodes(contract))
})
