import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readEnv } from './read-env.ts'
import { internalKeyEnv } from './shared-env.ts'

test('reads the internal key as bytes', () => {
  assert.equal(readEnv(internalKeyEnv, { INTERNAL_KEY: 'k'.repeat(32) }).internalKey.byteLength, 32)
})

test('rejects an internal key of 31 characters without repeating it', () => {
  assert.throws(
    () => readEnv(internalKeyEnv, { INTERNAL_KEY: 'k'.repeat(31) }),
    (error: unknown) => error instanceof ConfigError && !error.message.includes('kkk'),
  )
})
