import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { goodPassword, type Harness, harness, publicToken } from '@lapwing/identity/test/harness'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserFlags } from './browser-flags.ts'
import { findChromium } from './find-chromium.ts'

/**
 * The hosted provider's own browser client, unchanged, signs people in here: in a real Chromium, from
 * a page of another origin. It is a test's dependency and no part of the product.
 */
const executablePath = findChromium(process.env)
const skip = executablePath === null ? 'skipped: no Chromium' : false
const newPassword = 'quiet marshal umbrella 7'

let service: Harness
let browser: Browser
let pageOrigin: string
let base: string
const closers: (() => unknown)[] = []

before(async () => {
  if (executablePath === null) return
  // The ready-made script is in the package and not among its exports.
  const [folder] = createRequire(import.meta.url)
    .resolve('@stytch/vanilla-js')
    .split(/[\\/]dist[\\/]/)
  const script = join(folder!, 'dist/iife/index.headless.js')
  const files: Readonly<Record<string, string>> = {
    '/client.js': readFileSync(script, 'utf8'),
    '/': '<!doctype html><title>page</title><script src="/client.js"></script>',
  }
  const pages = createServer((request, response) => {
    const path = new URL(request.url!, 'http://page').pathname
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html')
    response.end(files[path] ?? files['/'])
  })
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  pageOrigin = `http://localhost:${(pages.address() as AddressInfo).port}`
  closers.push(() => pages.close())
  service = await harness({}, { PUBLIC_ORIGIN: pageOrigin })
  // The browser's clock is the machine's.
  service.advance(Date.now() - service.now().getTime())
  closers.push(() => service.close())
  base = await service.app.listen({ host: '127.0.0.1', port: 0 })
  browser = await chromium.launch({ executablePath, args: browserFlags })
  closers.push(() => browser.close())
})

after(async () => {
  for (const close of closers.reverse()) await close()
})

/** A fresh browser window with the client on its page, and the calls that failed in it. */
async function openPage(path = '/'): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await startClient(page, path)
  return page
}

async function startClient(page: Page, path: string): Promise<void> {
  await page.goto(pageOrigin + path)
  await page.evaluate(
    ([token, url]) => {
      const scope = globalThis as unknown as Record<string, unknown>
      const library = scope.stytch as Record<string, new (...args: unknown[]) => unknown>
      const endpoints = {
        testAPIURL: url,
        liveAPIURL: url,
        dfpBackendURL: url,
        clientsideServicesIframeURL: `${url}/none`,
      }
      scope.client = new library.StytchClient!(token, { endpoints })
    },
    [publicToken, base],
  )
}

/** Calls the client in the page, and answers what it answered or the error it threw. */
// biome-ignore lint/suspicious/noExplicitAny: what the client answers is its own affair.
function call(page: Page, path: string, ...args: unknown[]): Promise<any> {
  return page.evaluate(
    async ([names, values]) => {
      const parts = (names as string).split('.')
      const method = parts.pop()!
      let target = (globalThis as unknown as { client: Record<string, unknown> }).client
      for (const part of parts) target = target[part] as Record<string, unknown>
      try {
        const run = target[method] as (...args: unknown[]) => unknown
        return { ok: await run.apply(target, values as unknown[]) }
      } catch (error) {
        const { name, error_type, message } = error as Record<string, unknown>
        return { name, error_type, message }
      }
    },
    [path, args],
  )
}

const hour = { session_duration_minutes: 60 }

test('sign-up, a reload, a refresh and a sign-out', { skip }, async () => {
  const page = await openPage()
  const created = await call(page, 'passwords.create', {
    email: 'one@example.com',
    password: goodPassword,
    ...hour,
  })
  assert.ok(created.ok?.session, JSON.stringify(created))
  assert.equal((await call(page, 'session.getSync')).ok.session_id, created.ok.session.session_id)
  assert.equal((await call(page, 'user.getSync')).ok.emails[0].email, 'one@example.com')
  const cookies = await page.context().cookies()
  assert.deepEqual(cookies.map(({ name }) => name).sort(), ['stytch_session', 'stytch_session_jwt'])

  await startClient(page, '/')
  const refreshed = await call(page, 'session.authenticate', hour)
  assert.equal(refreshed.ok.session.session_id, created.ok.session.session_id)
  assert.ok((await call(page, 'rbac.isAuthorized', 'leaderboard', 'read')).ok)
  assert.equal((await call(page, 'rbac.isAuthorized', 'leaderboard', 'moderate')).ok, false)

  assert.ok((await call(page, 'session.revoke')).ok)
  assert.equal((await call(page, 'session.getSync')).ok, null)
  assert.deepEqual(await page.context().cookies(), [])
})

test('wrong passwords, taken addresses and input errors arrive as the client’s own errors', {
  skip,
}, async () => {
  await service.signUp('two@example.com')
  const page = await openPage()
  const sign = (password: string) =>
    call(page, 'passwords.authenticate', { email: 'two@example.com', password, ...hour })
  const wrong = await sign('wrong password')
  assert.equal(wrong.name, 'StytchAPIError')
  assert.equal(wrong.error_type, 'unauthorized_credentials')
  assert.match(wrong.message, /Unauthorized credentials\./)
  assert.ok((await sign(goodPassword)).ok.session)
  const taken = await call(page, 'passwords.create', {
    email: 'TWO@example.com',
    password: goodPassword,
    ...hour,
  })
  assert.equal(taken.error_type, 'duplicate_email')
})

test('a session that was ended elsewhere signs the page out', { skip }, async () => {
  const page = await openPage()
  const { ok } = await call(page, 'passwords.create', {
    email: 'three@example.com',
    password: goodPassword,
    ...hour,
  })
  assert.ok(ok)
  await service.call('revokeSession', '/sdk/v1/sessions/revoke', { as: ok.session_token })
  const answer = await call(page, 'session.authenticate', hour)
  assert.equal(answer.error_type, 'session_not_found')
  assert.equal((await call(page, 'session.getSync')).ok, null)
})

test('a forgotten password, bound to the browser that asked', { skip }, async () => {
  await service.signUp('four@example.com')
  const page = await openPage()
  const started = await call(page, 'passwords.resetByEmailStart', {
    email: 'four@example.com',
    reset_password_redirect_url: `${pageOrigin}/reset`,
  })
  assert.ok(started.ok, JSON.stringify(started))
  const link = new URL(/http:\/\/localhost\S+/.exec((await service.mailsTo('four@example.com'))[0]!.text)![0])
  const token = link.searchParams.get('token')
  await startClient(page, link.pathname + link.search)
  const done = await call(page, 'passwords.resetByEmail', { token, password: newPassword, ...hour })
  assert.ok(done.ok?.session, JSON.stringify(done))
})

test('a magic link, with what the client takes from the address', { skip }, async () => {
  const page = await openPage()
  const sent = await call(page, 'magicLinks.email.loginOrCreate', 'five@example.com', {
    login_magic_link_url: `${pageOrigin}/authenticate`,
    signup_magic_link_url: `${pageOrigin}/authenticate`,
  })
  assert.ok(sent.ok, JSON.stringify(sent))
  const link = new URL(/http:\/\/localhost\S+/.exec((await service.mailsTo('five@example.com'))[0]!.text)![0])
  await startClient(page, link.pathname + link.search)
  const parsed = (await call(page, 'parseAuthenticateUrl')).ok
  assert.deepEqual([parsed.tokenType, parsed.handled], ['magic_links', true])
  const done = await call(page, 'authenticateByUrl', hour)
  assert.ok(JSON.stringify(done).includes('session_id'), JSON.stringify(done))
  assert.equal((await call(page, 'user.getSync')).ok.emails[0].verified, true)
})

test('a code by mail', { skip }, async () => {
  const page = await openPage()
  const sent = await call(page, 'otps.email.loginOrCreate', 'six@example.com', { expiration_minutes: 5 })
  const [mail] = await service.mailsTo('six@example.com')
  const code = /\b\d{6}\b/.exec(mail!.text)![0]
  const done = await call(page, 'otps.authenticate', code, sent.ok.method_id, hour)
  assert.ok(done.ok?.session, JSON.stringify(done))
})

test('the person is read and changed', { skip }, async () => {
  const page = await openPage()
  await call(page, 'passwords.create', { email: 'seven@example.com', password: goodPassword, ...hour })
  const changed = await call(page, 'user.update', {
    name: { first_name: 'Ada' },
    untrusted_metadata: { units: 'SI' },
  })
  assert.ok(changed.ok, JSON.stringify(changed))
  const { ok } = await call(page, 'user.get')
  assert.equal(ok.name.first_name, 'Ada')
  const last = await call(page, 'user.deleteEmail', ok.emails[0].email_id)
  assert.equal(last.error_type, 'cannot_delete_last_factor')
})
