import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOfScopes } from './consent.ts'

for (const [scopes, words] of [
  ['openid', 'Knows that it is you'],
  ['openid email laps:read', 'Reads your email address, your laps'],
  ['laps:read offline_access', 'Reads your laps, also while you are away'],
  ['openid unknown', 'Knows that it is you'],
  ['openid laps:read full_access', 'Acts as you in everything'],
] as const) {
  test(`explains the scopes ${scopes}`, () => {
    assert.equal(wordsOfScopes(scopes), words)
  })
}
