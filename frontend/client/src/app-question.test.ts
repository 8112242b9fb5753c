import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationOf, readQuestion } from './app-question.ts'

const read = (query: string) => readQuestion(new URLSearchParams(query))

test('reads a request to connect an app, with the defaults of the protocol', () => {
  assert.deepEqual(read('client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2Fb'), {
    kind: 'connect',
    request: {
      client_id: 'a',
      redirect_uri: 'https://app.example/b',
      response_type: 'code',
      scopes: ['openid', 'email', 'profile'],
    },
  })
})

test('passes on what identity needs, and nothing else', () => {
  const query =
    'client_id=a&redirect_uri=b&response_type=token&scope=openid++laps:read&state=s&nonce=n&prompt=consent' +
    '&code_challenge=c&code_challenge_method=plain&resource=r&resource=q&user=evil'
  assert.deepEqual(read(query), {
    kind: 'connect',
    request: {
      client_id: 'a',
      redirect_uri: 'b',
      response_type: 'token',
      scopes: ['openid', 'laps:read'],
      prompt: 'consent',
      state: 's',
      nonce: 'n',
      code_challenge: 'c',
      code_challenge_method: 'plain',
      resources: ['r', 'q'],
    },
  })
})

test('reads a request to sign out', () => {
  assert.deepEqual(read('client_id=a&post_logout_redirect_uri=b&id_token_hint=t&state=s'), {
    kind: 'sign-out',
    request: { client_id: 'a', post_logout_redirect_uri: 'b', id_token_hint: 't', state: 's' },
  })
})

for (const query of ['', 'client_id=a', 'redirect_uri=b', 'post_logout_redirect_uri=b']) {
  test(`finds no request in "${query}"`, () => {
    assert.deepEqual(read(query), { kind: 'none' })
  })
}

for (const [address, place] of [
  ['https://app.example/callback', 'app.example'],
  ['http://127.0.0.1:4100/back', '127.0.0.1:4100'],
  ['com.example.pitwall:/back', 'com.example.pitwall'],
  ['no address', 'no address'],
] as const) {
  test(`shows ${address} as ${place}`, () => {
    assert.equal(destinationOf(address), place)
  })
}
