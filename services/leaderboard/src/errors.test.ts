import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractCodes } from '@lapwing/contracts/codes'
import contract from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import { errors } from './errors.ts'

test('lists the same codes as the contract', () => {
  assert.deepEqual(Object.keys(errors).sort(), contractCodes(contract))
})
