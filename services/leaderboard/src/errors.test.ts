import { test } from 'node:test'
import contract from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import { checkCodes } from '@lapwing/service/testing'
import { errors } from './errors.ts'

test('lists the same error codes as the contract', () => {
  checkCodes('leaderboard', errors, contract)
})
