import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractCodes } from '@lapwing/contracts/codes'
import contract from '@lapwing/contracts/upload.json' with { type: 'json' }
import { errors } from './errors.ts'

test('lists the same codes as the contract', () => {
  // The gateway limits rates and returns 429 with its own code. The contract lists the status too.
  assert.deepEqual(Object.keys(errors).sort(), contractCodes(contract))
})
