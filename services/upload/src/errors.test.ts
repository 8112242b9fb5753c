import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractCodes } from '@lapwing/contracts/codes'
import contract from '@lapwing/contracts/upload.json' with { type: 'json' }
import { errors } from './errors.ts'

test('the error table and the contract list the same codes', () => {
  // The gateway limits rates and answers 429 under its own code; the contract still shows the status.
  assert.deepEqual(Object.keys(errors).sort(), contractCodes(contract))
})
