import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractCodes } from '@lapwing/contracts/codes'
import contract from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import { errors } from './errors.ts'

test('the error table and the contract list the same codes', () => {
  assert.deepEqual(Object.keys(errors).sort(), contractCodes(contract))
})
