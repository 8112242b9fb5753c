import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildPackage } from '@lapwing/identity-client/build-package'
import { until } from '@lapwing/testing/until.ts'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { shortVisitFlags } from './browser-flags.ts'
import { findChromium } from './find-chromium.ts'
import { openClient } from './official-client/client-browser.ts'
import { totpCode } from './second-factors.ts'
import { type Accounts, publicToken, startAccounts } from './testing/accounts-stack.ts'

const password = 'violet kerb sausage 42'

let folder: string
let server: Server
let origin: string
let accounts: Accounts
let browser: Browser
let context: BrowserContext

/** Serves a page of another origin that loads the built package, without a bundler. */
async function servePage(): Promise<void> {
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    if (extname(pathname) === '.js') {
      const script = await readFile(join(folder, pathname))
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageHtml())
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
}

function pageHtml(): string {
  const options = { baseUrl: accounts.identityUrl, publicToken }
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,"></head>
  <body>
    <script type="module">
      import { createIdentityClient } from '/index.js'
      import { createMailCodes } from '/mail.js'
      import { createTotps } from '/totps.js'
      const client = createIdentityClient(${JSON.stringify(options)})
      window.client = Object.assign(client, { codes: createMailCodes(client), totps: createTotps(client) })
    </script>
  </body>
</html>`
}

before(async () => {
  const executablePath = findChromium(process.env)
  assert.ok(executablePath, 'The browser tests need Chromium or Chrome, on PATH or in CHROME_PATH.')
  folder = await mkdtemp(join(tmpdir(), 'lapwing-client-'))
  await buildPackage(folder)
  await servePage()
  accounts = await startAccounts({ pageOrigin: origin })
  browser = await chromium.launch({ executablePath, args: shortVisitFlags })
  context = await browser.newContext()
})
after(async () => {
  await browser?.close()
  await accounts?.stop()
  server?.closeAllConnections()
  await new Promise(resolve => (server ? server.close(resolve) : resolve(null)))
  await rm(folder, { recursive: true, force: true })
})

test('signs up, adds a factor, and signs in with it, on a page of another origin', async () => {
  const email = 'client@lapwing.test'
  const window = await openClient(context, origin, publicToken)
  await window.page.waitForFunction(() => 'client' in globalThis)
  const created = await window.call('passwords.create', { email, password })
  assert.equal(await window.sync('session.adopt', created), true)
  assert.deepEqual(await window.cookieNames(), ['stytch_session'])

  // With a session the client sends the code that proves the address.
  const { method_id } = await window.call('codes.send', { email, expiration_minutes: 5 })
  const code = /\b\d{6}\b/.exec((await accounts.mailTo(email)).text)![0]
  assert.equal(
    await window.sync('session.adopt', await window.call('codes.authenticate', { token: code, method_id })),
    true,
  )
  assert.equal(window.sent('/otps/email/send/secondary').length, 1)

  const app = await window.call('totps.create')
  const proved = await window.call('totps.authenticate', { totp_code: totpCode(app.secret) })
  assert.equal(await window.sync('session.adopt', proved), true)

  // Another tab finds the session, and follows the sign-out.
  const other = await openClient(context, origin, publicToken)
  await other.page.waitForFunction(() => 'client' in globalThis)
  const userOf = async () => (await other.sync('userInfo.get')).value
  await until(async () => (await userOf())?.emails[0].email === email)
  assert.equal((await other.sync('sessionInfo.get')).fromCache, false)
  await window.call('session.signOut')
  await until(async () => (await other.sync('sessionInfo.get')).value === null)
  assert.deepEqual(await window.cookieNames(), [])

  // The next sign-in is complete only with the second factor.
  const half = await window.call('passwords.authenticate', { email, password })
  assert.equal(await window.sync('session.adopt', half), false)
  const whole = await window.call(
    'totps.recover',
    { recovery_code: app.recovery_codes[0] },
    half.session_token,
  )
  assert.equal(await window.sync('session.adopt', whole), true)
})

test('reports a refusal by name and type, and sends no member of a wrong type', async () => {
  const window = await openClient(context, origin, publicToken)
  await window.page.waitForFunction(() => 'client' in globalThis)
  const refused = await window.fail('passwords.authenticate', { email: 'nobody@lapwing.test', password })
  assert.equal(refused.name, 'ApiError')
  const wrong = await window.fail('passwords.create', { email: 'a@lapwing.test', password: 5 })
  assert.deepEqual(
    [wrong.name, wrong.message],
    ['UsageError', 'Invalid call to /passwords\npassword must be a string.'],
  )
  assert.equal(window.sent('/passwords').length, 0)
})
