import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore } from '#testing/memory-store.ts'
import { createReturnFlags } from './return-flags.ts'

test('stores the consent only if the box was checked when the browser left, and only in this tab', () => {
  const [local, session] = [new Map<string, string>(), new Map<string, string>()]
  const flags = createReturnFlags({ local: memoryStore(local), session: memoryStore(session) })
  flags.setTermsAgreed(false)
  assert.equal(session.size, 0)
  flags.setTermsAgreed(true)
  assert.deepEqual([...session], [['lapwing.terms-agreed', '1']])
  flags.setTermsAgreed(false)
  assert.equal(session.size, 0)
  flags.setTermsAgreed(true)
  flags.takeCompare()
  assert.deepEqual([session.size, local.size], [0, 0])
})

test('returns to the consent page once, after a sign-in at a provider', () => {
  const session = new Map<string, string>()
  const flags = createReturnFlags({ local: memoryStore(), session: memoryStore(session) })
  assert.equal(flags.takeConsent(), null)
  flags.wantConsent('client_id=a&state=s')
  assert.equal(flags.takeConsent(), '/consent?client_id=a&state=s')
  assert.equal(flags.takeConsent(), null)
  flags.wantConsent('client_id=a')
  flags.wantConsent(null)
  assert.equal(session.size, 0)
})
