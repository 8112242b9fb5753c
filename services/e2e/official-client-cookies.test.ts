import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { shortVisitFlags } from './browser-flags.ts'
import { findChromium } from './find-chromium.ts'
import { openClient } from './official-client/client-browser.ts'
import { clientVersions } from './official-client/client-page.ts'
import { serveTlsSite } from './official-client/tls-site.ts'
import { publicToken, startAccounts } from './testing/accounts-stack.ts'

const email = 'cookies@lapwing.test'
const password = 'violet kerb sausage 42'

for (const version of clientVersions) {
  test(`${version}: signs the official client up, in and out with HttpOnly session cookies`, {
    timeout: 120_000,
  }, async t => {
    const site = await serveTlsSite(version)
    t.after(site.close)
    const accounts = await startAccounts({
      pageOrigin: site.pageOrigin,
      identity: { COOKIES: 'http-only', COOKIE_DOMAIN: 'lapwing.test' },
    })
    t.after(accounts.stop)
    site.pointAt(accounts.identityUrl, publicToken)
    const executablePath = findChromium(process.env)
    assert.ok(executablePath, 'The browser tests need Chromium or Chrome, on PATH or in CHROME_PATH.')
    const browser = await chromium.launch({ executablePath, args: [...shortVisitFlags, site.browserFlag] })
    t.after(() => browser.close())
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    /* Without the cookie that recognises the browser, which outlives the session. */
    const sessionCookies = async () =>
      (await context.cookies()).filter(({ name }) => !name.endsWith('lapwing-browser'))

    // No session exists. The client cannot read the cookies, so it has to ask.
    const window = await openClient(context, site.pageOrigin, publicToken)
    await window.untilSignedIn(false)
    const asked = await window.fail('session.authenticate')
    assert.equal(asked.error_type, 'user_unauthenticated')

    const minutes = { session_duration_minutes: 60 }
    const { session } = await window.call('passwords.create', { email, password, ...minutes })
    await window.untilSignedIn(true)
    assert.deepEqual(await window.cookieNames(), [], 'a script sees no cookie')
    assert.equal(await window.sync('session.getTokens'), null)
    const cookies = await sessionCookies()
    assert.deepEqual(cookies.map(({ name }) => name).sort(), ['stytch_session', 'stytch_session_jwt'])
    for (const { httpOnly, secure, sameSite, domain } of cookies) {
      assert.deepEqual([httpOnly, secure, sameSite, domain], [true, true, 'Lax', '.lapwing.test'])
    }

    await window.page.reload()
    await window.untilSignedIn(true)
    const refreshed = await window.call('session.authenticate', minutes)
    assert.equal(refreshed.session.session_id, session.session_id)
    assert.equal((await window.call('user.get')).emails[0].email, email)

    await window.call('session.revoke')
    await window.untilSignedIn(false)
    assert.deepEqual(await sessionCookies(), [])
    const again = await window.call('passwords.authenticate', { email, password, ...minutes })
    assert.notEqual(again.session.session_id, session.session_id)
    await window.untilSignedIn(true)
  })
}
