import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type RunningProviders, startProviders } from '../lib/dev-servers/providers/start-providers.ts'
import type { Mail } from '../local/mailbox/mail-store.ts'
import { startMailbox } from '../local/mailbox/start-mailbox.ts'
import { shortVisitFlags } from './browser-flags.ts'
import { findChromium } from './find-chromium.ts'
import { watchForProblems } from './watch-for-problems.ts'

let browser: Browser
let folder: string
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let mailboxUrl: string
let providers: RunningProviders

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lapwing-stand-ins-'))
  mailbox = await startMailbox({ folder, smtpPort: 0, loopbackOnly: true })
  mailboxUrl = await mailbox.app.listen({ host: '127.0.0.1', port: 0 })
  providers = await startProviders()
  const executablePath = findChromium(process.env)
  assert.ok(executablePath, 'The browser tests need Chromium or Chrome.')
  browser = await chromium.launch({ executablePath, args: shortVisitFlags })
})

after(async () => {
  await browser?.close()
  await providers?.close()
  await mailbox?.app.close()
  rmSync(folder, { recursive: true, force: true })
})

const hostile = `<p>Hello</p>
<a href="#there">Set a new password</a>
<img src="https://tracker.example/pixel.png"><link rel="stylesheet" href="https://tracker.example/a.css">
<script>document.querySelector('p').textContent = 'ran'</script>
<form action="https://tracker.example/"><button>Send</button></form>
<iframe src="https://tracker.example/"></iframe>`

test('shows a mail without running or fetching anything', async t => {
  const answered = new Set<string>()
  const page = await open(t, mailboxUrl, {
    expected: [
      /script execution|Content Security Policy|violates/i,
      /^request: GET https:\/\/tracker\.example\/\S* csp$/,
    ],
  })
  page.on('response', response => answered.add(new URL(response.url()).origin))
  deliver({ subject: 'Reset your password', text: 'Hello in plain text', html: hostile })
  // The mail appears without a reload.
  await page.getByRole('link', { name: /Reset your password/ }).click()
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
  await page.getByText('Hello in plain text').last().waitFor()
  assert.equal(await page.frameLocator('#html').locator('p').textContent(), 'Hello')
  assert.deepEqual([...answered], [mailboxUrl])
})

test('opens a mail’s link in the whole window', async t => {
  const page = await open(t, mailboxUrl)
  deliver({ subject: 'With a link', html: `<a href="${mailboxUrl}/?elsewhere">Go</a>` })
  await page.getByRole('link', { name: /With a link/ }).click()
  await page.frameLocator('#html').getByRole('link', { name: 'Go' }).click()
  await page.waitForURL(`${mailboxUrl}/?elsewhere`)
})

test('narrows the list by a search, shows a plain mail as text only, and removes a deleted one', async t => {
  const page = await open(t, mailboxUrl)
  deliver({ subject: 'First code', text: 'It is 111111.' })
  deliver({ subject: 'Second code', text: 'It is 222222.' })
  await page.getByLabel('Search mails').fill('222222')
  await page.getByRole('link', { name: /First code/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Second code/ }).click()
  await page.getByRole('heading', { name: 'Second code' }).waitFor()
  assert.equal(await page.locator('#html').isVisible(), false)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No mail has these words.').waitFor()
  assert.equal(mailbox.mails.find({ words: '222222' }).length, 0)
})

for (const [device, width] of [
  ['desktop', 1280],
  ['phone', 360],
] as const) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(`passes axe and never scrolls sideways in the mailbox, ${device}, ${colorScheme}`, async t => {
      deliver({
        subject: 'A subject that is long enough to be cut off on any small screen',
        html: '<p>Hi</p>',
      })
      const page = await open(t, mailboxUrl, { viewport: { width, height: 800 }, colorScheme })
      await page
        .getByRole('link', { name: /A subject/ })
        .first()
        .click()
      await page.getByRole('heading', { name: /A subject/ }).waitFor()
      await assertTidy(page, width)
    })

    test(`passes axe and never scrolls sideways on a provider's page, ${device}, ${colorScheme}`, async t => {
      const page = await open(t, authoriseUrl('discord'), { viewport: { width, height: 800 }, colorScheme })
      await page.getByRole('heading', { name: 'Local Discord' }).waitFor()
      await assertTidy(page, width)
    })
  }
}

test('returns from a provider with a code after an address and Enter, without one after "Deny"', async t => {
  const page = await open(t, authoriseUrl('google'))
  // The browser focuses the field only when it draws the page.
  await page.getByLabel('Email').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('driver@example.test')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.origin === mailboxUrl)
  assert.match(new URL(page.url()).searchParams.get('code') ?? '', /^[\w-]{20,}$/)
  await page.goto(authoriseUrl('google'))
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(/error=access_denied/)
})

async function open(
  t: TestContext,
  url: string,
  options: {
    readonly viewport?: { readonly width: number; readonly height: number }
    readonly colorScheme?: 'dark' | 'light'
    readonly expected?: readonly RegExp[]
  } = {},
): Promise<Page> {
  const { expected = [], ...contextOptions } = options
  const context = await browser.newContext({ locale: 'en-GB', ...contextOptions })
  t.after(() => context.close())
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const problems = watchForProblems(page)
  t.after(() => assert.deepEqual(problems(expected), []))
  await page.goto(url)
  return page
}

async function assertTidy(page: Page, width: number): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).exclude('#html').analyze()
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    [],
  )
  assert.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= width)
}

let delivered = 0

function deliver(mail: Pick<Mail, 'subject'> & Partial<Mail>): void {
  delivered++
  mailbox.mails.add({
    id: `${String(Date.now()).padStart(15, '0')}-${String(delivered).padStart(8, '0')}`,
    receivedAt: new Date().toISOString(),
    from: 'Lapwing <no-reply@lapwing.test>',
    to: ['driver@example.test'],
    text: '',
    html: null,
    attachments: [],
    sizeBytes: 1_000,
    ...mail,
  })
}

function authoriseUrl(face: 'google' | 'discord'): string {
  const query = new URLSearchParams({
    client_id: 'lapwing-local',
    redirect_uri: `${mailboxUrl}/`,
    response_type: 'code',
    state: 'a state',
    code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${providers.url}/${face}/authorize?${query}`
}
