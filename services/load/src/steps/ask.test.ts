import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, Failed, Refused } from './ask.ts'
import type { Answer, Http } from './http.ts'

const call = { name: 'page', method: 'GET', url: 'http://lapwing.test/' } as const

const answering = (status: number, headers: Readonly<Record<string, string>> = {}): Http => {
  const answer: Answer = { status, header: name => headers[name], text: () => '{"code":"x.y"}', bytes: 14 }
  return { send: async () => answer, wait: async () => {}, base64: btoa, now: Date.now }
}

test('returns an expected answer', async () => {
  assert.equal((await ask(answering(201), call, 200, 201)).status, 201)
})

for (const status of [429, 503]) {
  test(`counts ${status} with Retry-After as a limit, and without it as a failure`, async () => {
    await assert.rejects(ask(answering(status, { 'retry-after': '1' }), call, 200), Refused)
    await assert.rejects(ask(answering(status), call, 200), Failed)
  })
}

for (const status of [0, 401, 404, 500, 502, 504]) {
  test(`counts ${status || 'a missing answer'} as a failure, also with Retry-After`, async () => {
    await assert.rejects(ask(answering(status, { 'retry-after': '1' }), call, 200), (error: Error) => {
      return error instanceof Failed && error.step === 'page' && error.message.includes('x.y')
    })
  })
}
