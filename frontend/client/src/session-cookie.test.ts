import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCookieJar } from '../../src/testing/cookie-jar.ts'
import { createIntermediateCookie } from './intermediate-cookie.ts'
import { createSessionCookie } from './session-cookie.ts'

const location = { protocol: 'https:' }
const expiresAtMs = Date.now() + 3600_000

test('reads the token back among other cookies, whatever its characters', () => {
  const document = createCookieJar()
  document.cookie = 'other_stytch_session=no'
  const cookie = createSessionCookie({ document, location })
  assert.equal(cookie.get(), null)
  cookie.set('a;b=c%ü', { expiresAtMs, remember: true })
  document.cookie = 'last=1'
  assert.equal(cookie.get(), 'a;b=c%ü')
  cookie.clear()
  assert.equal(cookie.get(), null)
})

test('limits the cookie to this site, to TLS if the page has TLS, and to the session’s end', () => {
  const document = createCookieJar()
  createSessionCookie({ document, location }).set('token', { expiresAtMs, remember: true })
  assert.equal(
    document.written[0],
    `stytch_session=token; Path=/; SameSite=Lax; Secure; Expires=${new Date(expiresAtMs).toUTCString()}`,
  )
  createSessionCookie({ document, location: { protocol: 'http:' } }).set('token', {
    expiresAtMs,
    remember: true,
  })
  assert.equal(document.written[1]?.includes('Secure'), false)
})

test('ends with the browser if the driver is not to be remembered', () => {
  const document = createCookieJar()
  createSessionCookie({ document, location }).set('token', { expiresAtMs, remember: false })
  assert.equal(document.written[0]?.includes('Expires'), false)
})

test('stores nothing of a token that is hidden from scripts, and deletes an older one', () => {
  const document = createCookieJar()
  const cookie = createSessionCookie({ document, location })
  cookie.set('token', { expiresAtMs, remember: true })
  cookie.set('', { expiresAtMs, remember: true })
  assert.equal(cookie.get(), null)
})

test('treats a broken cookie as none', () => {
  const cookie = createSessionCookie({ document: { cookie: 'stytch_session=%E0%A4%A' }, location })
  assert.equal(cookie.get(), null)
})

test('stores a sign-in that lacks its second factor for ten minutes', () => {
  const nowMs = () => Date.UTC(2030, 0, 1)
  const document = createCookieJar()
  const cookie = createIntermediateCookie({ document, location, nowMs })
  cookie.set('half')
  assert.equal(cookie.get(), 'half')
  assert.deepEqual(document.written, [
    'stytch_intermediate_session_token=half; Path=/; SameSite=Lax; Secure; Expires=Tue, 01 Jan 2030 00:10:00 GMT',
  ])
  cookie.clear()
  assert.equal(cookie.get(), null)
})
