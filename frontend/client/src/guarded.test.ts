import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient } from '../../src/testing/a-client.ts'
import { type CaptchaProof, guarded } from './guarded.ts'

/** Returns a client of a server that requires a captcha, and the bodies that it sent. */
function aGuarded(captcha?: () => Promise<CaptchaProof>) {
  const bodies: Record<string, unknown>[] = []
  const { client } = aClient({
    async fetch(_, init) {
      const body = JSON.parse(String(init?.body))
      bodies.push(body)
      return body.captcha_token === 'proof'
        ? Response.json({ data: { ok: true } })
        : new Response('Captcha required', { status: 403 })
    },
  })
  return { bodies, transport: guarded(client, captcha) }
}

const body = { email: 'ada@lapwing.test' }

test('sends a call once more with the proof of a captcha service', async () => {
  const proof = { captcha_token: 'proof', dfp_telemetry_id: 'device' }
  const { transport, bodies } = aGuarded(async () => proof)
  assert.deepEqual(await transport.call('POST', '/users/search', body), { ok: true })
  assert.deepEqual(bodies, [body, { ...body, ...proof }])
})

test('sends a call only twice if the server refuses the proof', async () => {
  const { transport, bodies } = aGuarded(async () => ({ captcha_token: 'wrong' }))
  await assert.rejects(transport.call('POST', '/users/search', body), { name: 'CaptchaError' })
  assert.equal(bodies.length, 2)
})

test('reports a captcha that nobody or no service can solve', async () => {
  const message = 'Unable to query captcha and/or dfp telemetry ID'
  const broken = () => Promise.reject(new Error('The script was blocked.'))
  for (const captcha of [undefined, broken]) {
    const { transport, bodies } = aGuarded(captcha)
    await assert.rejects(transport.call('POST', '/users/search', body), { name: 'CaptchaError', message })
    assert.equal(bodies.length, 1)
  }
})

test('sends no body with a member of a wrong type', async () => {
  const { transport, bodies } = aGuarded()
  await assert.rejects(transport.call('POST', '/users/search', { email: 5 }), {
    name: 'UsageError',
    message: 'Invalid call to /users/search\nemail must be a string.',
  })
  assert.deepEqual(bodies, [])
})
