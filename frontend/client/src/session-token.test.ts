import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeToken } from '../../src/testing/fake-identity.ts'
import { memoryStore } from '../../src/testing/memory-store.ts'
import { isHalfToken, isStaleToken, isUsableToken, readTokenClaims, tokenOfAnswer } from './session-token.ts'
import { createTokenStore } from './token-store.ts'

const nowMs = Date.UTC(2026, 0, 1)
const inSeconds = (seconds: number) => fakeToken({ sub: 'user-1', exp: nowMs / 1000 + seconds })

const malformed: Record<string, string> = {
  'empty text': '',
  'two parts': 'a.b',
  'four parts': `${inSeconds(900)}.x`,
  'an empty part': inSeconds(900).replace(/\.[^.]*$/, '.'),
  'a payload that is no base64': 'a.!!.c',
  'a payload that is no JSON': `a.${btoa('{')}.c`,
  'a payload that is null': `a.${btoa('null')}.c`,
  'a payload that is a list': `a.${btoa('[]')}.c`,
  'no expiry': fakeToken({ sub: 'user-1' }),
  'an expiry that is text': fakeToken({ sub: 'user-1', exp: '1' }),
  'an expiry without end': `a.${btoa('{"sub":"u","exp":1e999}')}.c`,
  'no subject': fakeToken({ exp: 1 }),
  'an empty subject': fakeToken({ sub: '', exp: 1 }),
}

for (const [name, token] of Object.entries(malformed)) {
  test(`treats a token with ${name} as invalid and stale, and deletes it from session storage`, () => {
    assert.equal(readTokenClaims(token), null)
    assert.equal(isStaleToken(token, nowMs), true)
    assert.equal(isUsableToken(token, nowMs), false)
    const content = new Map([['lapwing.session-jwt', token]])
    assert.equal(createTokenStore(memoryStore(content)).get(), null)
    assert.equal(content.size, 0)
  })
}

test('reads expiry and subject from the payload, in any characters', () => {
  const bytes = new TextEncoder().encode(JSON.stringify({ sub: 'jürgen-✓', exp: 7 }))
  const payload = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  assert.deepEqual(readTokenClaims(`a.${payload}.c`), { sub: 'jürgen-✓', exp: 7 })
})

test('finds the token of an answer: session_jwt, else the first valid one of jwt, session_token and tokens.jwt', () => {
  const [a, b, c, d] = [1, 2, 3, 4].map(inSeconds)
  const all = { session_jwt: a, jwt: b, session_token: c, tokens: { jwt: d } }
  assert.equal(tokenOfAnswer(all), a)
  assert.equal(tokenOfAnswer({ ...all, session_jwt: '' }), b)
  assert.equal(tokenOfAnswer({ session_token: c, tokens: { jwt: d } }), c)
  assert.equal(tokenOfAnswer({ session_jwt: 'opaque', session_token: 'opaque', tokens: { jwt: d } }), d)
  assert.equal(tokenOfAnswer({ session_jwt: '', session_token: 'opaque', tokens: null }), '')
})

const day = 24 * 3600
for (const [seconds, isStale] of [
  [301, false],
  [300, true],
  [299, true],
  [0, true],
  [-300, true],
  [-301, true],
  [365 * day, false],
  [365 * day + 1, true],
] as const) {
  test(`treats a token that expires in ${seconds} s as ${isStale ? 'stale' : 'fresh'}`, () => {
    assert.equal(isStaleToken(inSeconds(seconds), nowMs), isStale)
  })
}

for (const [aud, isHalf] of [
  [['project-live-lapwing/second-factor'], true],
  [['project-live-lapwing'], false],
  ['project-live-lapwing/second-factor', true],
  [[], false],
  [null, false],
] as const) {
  test(`treats a token for ${JSON.stringify(aud)} as ${isHalf ? 'half' : 'whole'}`, () => {
    assert.equal(isHalfToken(`e.${btoa(JSON.stringify({ aud }))}.s`), isHalf)
  })
}

test('treats what is no token as whole, because older services issue no half ones', () => {
  for (const token of ['', 'e', 'e.%.s', 'e..s']) assert.equal(isHalfToken(token), false)
})

test('can be used until it expires', () => {
  assert.equal(isUsableToken(inSeconds(1), nowMs), true)
  assert.equal(isUsableToken(inSeconds(0), nowMs), false)
})

test('stores a token in session storage, and nothing else', () => {
  const content = new Map<string, string>()
  const tokens = createTokenStore(memoryStore(content))
  tokens.set(inSeconds(900))
  assert.equal(tokens.get(), inSeconds(900))
  tokens.set('nonsense')
  assert.equal(content.size, 0)
  tokens.set(inSeconds(900))
  tokens.clear()
  assert.equal(tokens.get(), null)
})
