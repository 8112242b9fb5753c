import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { service as identity } from './app.ts'
import { issueImpersonation } from './impersonation/impersonation.repository.ts'
import { goodPassword, harness, publicToken } from './test/harness.ts'
import { newWallet } from './test/wallets.ts'

test('logs no password, token, mail address, phone number, wallet, network address or client telemetry', async t => {
  const service = await harness()
  t.after(() => service.close())
  let log = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const app = identity.build({
    ...service.deps,
    logger: createLogger('identity', 'trace', sink),
    // A failure whose log line could repeat the request.
    enqueueMail: () => Promise.reject(new Error('the outbox is full')),
    enqueueText: () => Promise.reject(new Error('the outbox is full')),
  })
  t.after(() => app.close())
  const { token, userId } = await service.signUp('canary@example.com')
  const call = (method: 'GET' | 'POST', url: string, body?: object, as = token) =>
    app.inject({
      method,
      url,
      headers: {
        authorization: `Basic ${btoa(`${publicToken}:${as}`)}`,
        'content-type': 'application/json',
        'x-sdk-client': btoa('{"telemetry":"canary"}'),
        'x-sdk-parent-host': 'https://canary.example',
        'x-forwarded-for': '203.0.113.77',
        cookie: 'stytch_session=canary-cookie',
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
  const email = 'canary@example.com'
  await call('POST', '/sdk/v1/passwords/authenticate', { email, password: goodPassword })
  await call('POST', '/sdk/v1/passwords/authenticate', { email, password: 'canary-password' })
  await call('POST', '/sdk/v1/passwords', { email, password: 'canary password 123!' })
  const failed = await call('POST', '/sdk/v1/passwords/email/reset/start', { email })
  assert.equal(failed.statusCode, 500)
  assert.doesNotMatch(failed.body, /outbox|stack|\.ts/)
  const texted = await call('POST', '/sdk/v1/otps/sms/login_or_create', { phone_number: '+12015550199' })
  assert.equal(texted.statusCode, 500)
  const wallet = newWallet('ethereum')
  const ofWallet = { crypto_wallet_address: wallet.address, crypto_wallet_type: wallet.type }
  const { challenge } = (
    await call('POST', '/sdk/v1/crypto_wallets/authenticate/start/primary', ofWallet)
  ).json().data
  const signature = await wallet.sign(challenge)
  const wrong = await wallet.sign('another text')
  for (const shown of [wrong, signature, signature]) {
    await call('POST', '/sdk/v1/crypto_wallets/authenticate', { ...ofWallet, signature: shown })
  }
  await call('POST', '/sdk/v1/magic_links/authenticate', { token: 'canary-link-token' })
  await call('POST', '/sdk/v1/sessions/attest', { profile_id: 'none', token: 'canary-issuer-token' })
  await call('POST', '/sdk/v1/sessions/exchange_access_token', { access_token: 'canary-access-token' })
  const operator = 'canary.operator@example.com'
  const impersonation_token = await service.deps.change(work =>
    issueImpersonation(work, { userId, operator, reason: 'a canary' }),
  )
  await call('POST', '/sdk/v1/impersonation/authenticate', { impersonation_token: 'canary-operator-token' })
  await call('GET', `/v1/public/oauth/google/start?oauth_attach_token=canary-attach-token`)
  await call('GET', '/sdk/v1/users/me?token=canary-query-token')
  await call('GET', '/sdk/v1/users/me', undefined, 'canary-session')
  assert.match(log, /"route":"\/sdk\/v1\/passwords\/authenticate"/)
  assert.match(log, /the outbox is full/)
  for (const secret of [
    goodPassword,
    token,
    'canary',
    '203.0.113.77',
    '2015550199',
    wallet.address.slice(2),
    wallet.address.slice(2).toLowerCase(),
    impersonation_token!,
    signature.slice(2),
    wrong.slice(2),
    /Nonce: (\w+)/.exec(challenge)![1]!,
    btoa(`${publicToken}:${token}`),
  ]) {
    assert.ok(!log.includes(secret), `the log holds ${secret}`)
  }
})
