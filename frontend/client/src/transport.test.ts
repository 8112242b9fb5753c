import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createEventQueue, type UseEvent } from './event-queue.ts'
import { createSessionCookies } from './session-cookies.ts'
import { createTransport } from './transport.ts'

const token = 'public-token-live-lapwing'

function transportWith(answer: () => Promise<Response>, session: string | null = null) {
  const sent: { url: string; init: RequestInit }[] = []
  const transport = createTransport({
    fetch: (url, init) => {
      sent.push({ url: String(url), init: init! })
      return answer()
    },
    config: async () => ({ baseUrl: 'https://id.lapwing.test', publicToken: token }),
    sessionToken: () => session,
    pageOrigin: 'https://racing.test',
    newId: () => 'an-id',
    now: () => new Date(0),
  })
  return { transport, sent }
}

const json = (status: number, body: unknown) => async () => Response.json(body, { status })
const basic = (init: RequestInit) => atob((init.headers as Record<string, string>).authorization!.slice(6))

describe('a call', () => {
  test('sends the headers of the protocol, and returns the data', async () => {
    const { transport, sent } = transportWith(json(200, { data: { method_id: 'email-1' } }))
    const body = { email: 'ada@lapwing.test', locale: undefined }
    assert.deepEqual(await transport.call('POST', '/otps/email/login_or_create', body), {
      method_id: 'email-1',
    })
    const [{ url, init }] = sent as [(typeof sent)[0]]
    assert.equal(url, 'https://id.lapwing.test/sdk/v1/otps/email/login_or_create')
    assert.equal(init.credentials, 'include')
    assert.equal(init.body, '{"email":"ada@lapwing.test"}')
    const headers = init.headers as Record<string, string>
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['x-sdk-parent-host'], 'https://racing.test')
    assert.equal(JSON.parse(atob(headers['x-sdk-client']!)).app.identifier, 'racing.test')
  })

  test('authenticates with the session, a given token, or the public token', async () => {
    const answer = json(200, { data: {} })
    const signedIn = transportWith(answer, 'stored')
    await signedIn.transport.call('POST', '/sessions/revoke')
    await signedIn.transport.call('POST', '/totps/authenticate', {}, 'half')
    const anonymous = transportWith(answer)
    await anonymous.transport.call('GET', '/projects/bootstrap/x')
    assert.deepEqual(
      [...signedIn.sent, ...anonymous.sent].map(({ init }) => basic(init)),
      [`${token}:stored`, `${token}:half`, `${token}:${token}`],
    )
  })

  const failures: readonly (readonly [string, () => Promise<Response>, object])[] = [
    [
      'an error of identity',
      json(404, {
        status_code: 404,
        error_type: 'email_not_found',
        error_message: 'Email not found.',
        request_id: 'r',
      }),
      { name: 'ApiError', type: 'email_not_found', status: 404, message: 'Email not found.', requestId: 'r' },
    ],
    [
      'an error without a message',
      json(500, {}),
      { name: 'ApiError', type: '', message: 'Something went wrong on our side. Please try again.' },
    ],
    [
      'a schema error',
      json(400, { body: [{ dataPath: '.email', message: 'should be string' }] }),
      { name: 'SchemaError', message: 'Request does not match expected schema\n.email: should be string' },
    ],
    ['a schema error of the query', json(400, { query: [] }), { name: 'SchemaError' }],
    [
      'text instead of JSON',
      async () => new Response('<html>'),
      { name: 'InvalidJsonError', message: 'Invalid JSON response from our servers.' },
    ],
    [
      'a captcha that is required',
      async () => new Response('Captcha required', { status: 400 }),
      { name: 'CaptchaError', message: 'Unable to query captcha and/or dfp telemetry ID' },
    ],
    ['JSON without data', json(200, { ok: true }), { name: 'InvalidJsonError' }],
    ['JSON that is no object', json(200, null), { name: 'InvalidJsonError' }],
    [
      'no answer',
      () => Promise.reject(new TypeError('Load failed')),
      { name: 'UnreachableError', message: 'Unable to contact our servers.' },
    ],
  ]
  for (const [what, answer, expected] of failures) {
    test(`reports ${what}`, async () => {
      await assert.rejects(transportWith(answer).transport.call('POST', '/otps/authenticate', {}), expected)
    })
  }

  test('of events has no session, and its failure stays silent', async () => {
    const { transport, sent } = transportWith(() => Promise.reject(new TypeError('Load failed')), 'stored')
    await transport.sendEvents([{ event_name: 'email_sent', details: { email: 'ada@lapwing.test' } }])
    const [{ url, init }] = sent as [(typeof sent)[0]]
    assert.equal(url, 'https://id.lapwing.test/sdk/v1/events')
    assert.equal((init.headers as Record<string, string>).authorization, undefined)
    const [item] = JSON.parse(init.body as string)
    assert.equal(item.event.event_name, 'email_sent')
    assert.equal(item.event.public_token, token)
  })
})

describe('the queue of events', () => {
  test('sends 15 immediately, and fewer after 800 ms', t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const batches: (readonly UseEvent[])[] = []
    const queue = createEventQueue(events => batches.push(events), globalThis as never)
    for (let count = 0; count < 16; count++) queue.add(`event ${count}`)
    assert.deepEqual(
      batches.map(({ length }) => length),
      [15],
    )
    t.mock.timers.tick(799)
    assert.equal(batches.length, 1)
    t.mock.timers.tick(1)
    assert.deepEqual(
      batches.map(({ length }) => length),
      [15, 1],
    )
    queue.flush()
    assert.equal(batches.length, 2)
  })
})

describe('the cookies of a session', () => {
  /** Returns cookies that record what is written. */
  function cookiesOn(protocol: string) {
    const written: string[] = []
    const document = {
      get cookie() {
        return written
          .filter(text => !/=;/.test(text))
          .map(text => text.split(';', 1)[0])
          .join('; ')
      },
      set cookie(text: string) {
        written.push(text)
      },
    }
    return { written, cookies: createSessionCookies({ document, location: { protocol } }) }
  }

  test('have the names, site and end of the provider’s client', () => {
    const { written, cookies } = cookiesOn('https:')
    cookies.store({ token: 'opaque', jwt: 'signed', expiresAt: '2030-01-01T00:00:00Z' })
    assert.equal(cookies.token(), 'opaque')
    const end = 'Expires=Tue, 01 Jan 2030 00:00:00 GMT'
    assert.deepEqual(written, [
      `stytch_session=opaque; Path=/; SameSite=Lax; Secure; ${end}`,
      `stytch_session_jwt=signed; Path=/; SameSite=Lax; Secure; ${end}`,
    ])
  })

  test('are not Secure on plain http, and end when they are cleared or empty', () => {
    const { written, cookies } = cookiesOn('http:')
    cookies.store({ token: '', jwt: '', expiresAt: '2030-01-01T00:00:00Z' })
    cookies.clear()
    assert.equal(written.length, 4)
    for (const text of written)
      assert.match(text, /^stytch_session(?:_jwt)?=; Path=\/; SameSite=Lax; Expires=Thu, 01 Jan 1970/)
  })
})
