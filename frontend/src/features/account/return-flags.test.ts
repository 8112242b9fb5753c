import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore } from '#testing/memory-store.ts'
import { createReturnFlags } from './return-flags.ts'

test('the terms count as agreed to only if their box was ticked when the browser left, in this tab', () => {
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
