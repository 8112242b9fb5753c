import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkUsername } from '@lapwing/usernames'
import { createManualClock } from '#testing/manual-clock.ts'
import type { UsernameAvailability } from './account-api.ts'
import { createUsernameCheck } from './username-check.ts'

type Answer = (username: string) => Promise<Partial<UsernameAvailability>>

function aCheck(answer: Answer = async () => ({ available: true })) {
  const clock = createManualClock()
  const asked: string[] = []
  const warnings: string[] = []
  const check = createUsernameCheck({
    judge: checkUsername,
    check: async username => {
      asked.push(username)
      return { available: false, valid: true, reason: '', ...(await answer(username)) }
    },
    after: clock.after,
    warn: sentence => void warnings.push(sentence),
  })
  return { check, clock, asked, warnings }
}

test('sends the trimmed name 500 ms after the last key press', async () => {
  const { check, clock, asked } = aCheck()
  check.type('ape')
  await clock.advance(499)
  check.type(' apex ')
  await clock.advance(499)
  assert.deepEqual(asked, [])
  assert.deepEqual(check.get(), { kind: 'checking' })
  await clock.advance(1)
  assert.deepEqual(asked, ['apex'])
  assert.deepEqual(check.get(), { kind: 'available' })
})

test('rejects a name that breaks a rule immediately, without a request', async () => {
  const { check, clock, asked } = aCheck()
  for (const [text, sentence] of [
    ['  ', 'Username is required'],
    ['ab', 'Username must be at least 3 characters long'],
    ['a'.repeat(21), 'Username must be at most 20 characters long'],
    ['1apex', 'Username must start with a letter'],
    ['apex hunter', 'Username can only contain letters, numbers, underscores, and hyphens'],
    ['shithead', 'Username contains inappropriate content'],
  ] as const) {
    check.type(text)
    assert.deepEqual(check.get(), { kind: 'problem', sentence })
  }
  await clock.advance(10_000)
  assert.deepEqual(asked, [])
})

test("shows the server's reason, or its own, for a name that is not available", async () => {
  for (const [reason, sentence] of [
    ['That name is reserved', 'That name is reserved'],
    ['', 'Username is already taken'],
  ] as const) {
    const { check, clock } = aCheck(async () => ({ available: false, reason }))
    check.type('apex')
    await clock.advance(500)
    assert.deepEqual(check.get(), { kind: 'problem', sentence })
  }
})

test('only logs an answer that is not OK', async () => {
  const { check, clock, warnings } = aCheck(() => Promise.reject(new Error('503')))
  check.type('apex')
  await clock.advance(500)
  assert.deepEqual(check.get(), { kind: 'unknown' })
  assert.equal(warnings.length, 1)
})

test('ignores a late answer about an earlier text', async () => {
  const answers = new Map<string, (answer: Partial<UsernameAvailability>) => void>()
  const { check, clock } = aCheck(username => new Promise(resolve => answers.set(username, resolve)))
  check.type('first')
  await clock.advance(500)
  check.type('second')
  await clock.advance(500)
  answers.get('second')!({ available: true })
  answers.get('first')!({ available: false })
  await clock.advance(0)
  assert.deepEqual(check.get(), { kind: 'available' })
})

test('ignores an answer that arrives after a reset', async () => {
  const { check, clock, asked } = aCheck()
  check.type('apex')
  check.reset()
  await clock.advance(1000)
  assert.deepEqual(asked, [])
  assert.deepEqual(check.get(), { kind: 'unknown' })
})
