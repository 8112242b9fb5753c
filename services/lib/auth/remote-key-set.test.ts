import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors, exportJWK, generateKeyPair } from 'jose'
import { KeySetError, remoteKeySet } from './remote-key-set.ts'

const address = new URL('https://id.test/keys')
const { publicKey } = await generateKeyPair('RS256')
const good = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] })
const known = { alg: 'RS256', kid: 'one' }

const failures: readonly (readonly [string, () => Promise<Response>])[] = [
  ['nothing', () => Promise.reject(new TypeError('fetch failed'))],
  ['503', async () => new Response('{}', { status: 503 })],
  ['no JSON', async () => new Response('<html>')],
  ['a set without keys', async () => new Response('{"keys":[]}')],
]

for (const [what, fail] of failures) {
  test(`throws KeySetError while the URL answers ${what}`, async () => {
    const find = remoteKeySet(address, fail)
    await assert.rejects(async () => find(known, token), KeySetError)
  })

  test(`uses the last keys if the URL begins to answer ${what}`, async t => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-28T12:00:00Z') })
    let answer = async () => new Response(good)
    let asked = 0
    const find = remoteKeySet(address, () => {
      asked += 1
      return answer()
    })
    await find(known, token)
    answer = fail
    t.mock.timers.tick(11 * 60_000)
    await find(known, token)
    assert.equal(asked, 2)
  })
}

test('treats an unknown key id as an error of the token', async () => {
  const find = remoteKeySet(address, async () => new Response(good))
  await assert.rejects(async () => find({ alg: 'RS256', kid: 'two' }, token), errors.JWKSNoMatchingKey)
})

test('limits fetches for unknown key ids', async () => {
  let asked = 0
  const find = remoteKeySet(address, async () => {
    asked += 1
    return new Response(good)
  })
  for (let count = 0; count < 20; count++)
    await assert.rejects(async () => find({ alg: 'RS256', kid: `made-up-${count}` }, token))
  assert.equal(asked, 1)
})

const token = { payload: '', signature: '' }
