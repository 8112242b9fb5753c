import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { aDriver, aDriverWhoComesBack, type Driver, openDialog } from './accounts.ts'
import { testInBothThemes } from './axe-in-both-themes.ts'
import { lapwing } from './harness.ts'
import { openSecurity } from './second-factors.ts'
import { mailTo } from './testing/mails.ts'
import { operatorCommand } from './testing/operator-command.ts'

/** The consent page and connected apps, with the real services and the demo app, which uses `openid-client`. */
const stack = lapwing({ reach: 'accounts', ownAddresses: true })
const { visit, visitTogether, demoAppUrl, identityDatabaseUrl } = stack
const press = (within: Locator | Page, name: string) =>
  within.getByRole('button', { name, exact: true }).click()
const card = (page: Page) => page.getByRole('main')

/** Opens the demo app and asks to connect it. */
async function connect(page: Page): Promise<void> {
  await page.goto(demoAppUrl())
  await page.getByRole('link', { name: 'Connect with Lapwing' }).click()
  await page.waitForURL('**/consent?**')
}

/** Signs in with the dialog that the consent page opens. */
async function logIn(page: Page, { email, password }: Driver): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'Log in' }).click()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await press(dialog, 'Sign in')
  await dialog.waitFor({ state: 'detached' })
}

let driver: Driver
/** For tests that leave the driver signed in and the demo app without access: they share one window. */
const visitAsDriver = visitTogether(async page => {
  driver = await aDriverWhoComesBack(page)
})

test(
  'connects the demo app, shows what it reads, lists it, and ends its access when it is disconnected',
  visit(
    async page => {
      const driver = await aDriver(page)
      await connect(page)
      // A visitor signs in first, and comes back to the same request.
      await logIn(page, driver)
      await page.getByRole('heading', { name: 'Connect Demo app?' }).waitFor()
      const listed = await card(page).getByRole('listitem').allTextContents()
      assert.ok(listed.includes('Read your saved laps, and the laps that you can compare with'))
      await card(page).getByText(new URL(demoAppUrl()).host).waitFor()
      await card(page).getByText(`You are signed in as ${driver.email}.`).waitFor()
      await press(page, 'Allow')
      await page.getByText(`Connected as ${driver.email}.`).waitFor()
      assert.ok(page.url().startsWith(demoAppUrl()))

      await page.goto('/')
      const settings = await openSecurity(page)
      await settings.getByText('Reads your email address, your laps, leaderboards, also while').waitFor()
      await settings.getByRole('button', { name: 'Remove Demo app' }).click()
      await press(settings, 'Keep it')
      await settings.getByRole('button', { name: 'Remove Demo app' }).click()
      await press(settings, 'Disconnect')
      await settings.getByText('No app reads your data. An app that you connect appears here.').waitFor()
      await page.goto(demoAppUrl())
      await page.getByText('Lapwing ended the access of this app.').waitFor()
    },
    { expected: [/^answer: 404 to GET .*\/api\//] },
  ),
)

test(
  'lets the driver cancel, and the app disconnect itself',
  visitAsDriver(async page => {
    await connect(page)
    await press(page, 'Cancel')
    await page.getByText('You did not connect the app.').waitFor()
    await connect(page)
    await press(page, 'Allow')
    await press(page, 'Disconnect')
    await page.getByRole('link', { name: 'Connect with Lapwing' }).waitFor()
  }),
)

test(
  'asks the next person, who signs in on the consent page with another account',
  visit(async page => {
    const first = await aDriverWhoComesBack(page)
    const second = await aDriver(page)
    await connect(page)
    await card(page).getByText(`You are signed in as ${first.email}.`).waitFor()
    await press(page, 'Use another account')
    await logIn(page, second)
    await card(page).getByText(`You are signed in as ${second.email}.`).waitFor()
    await press(page, 'Allow')
    await page.getByText(`Connected as ${second.email}.`).waitFor()
  }),
)

test(
  'explains that an app with full access can change what the driver can, on the page, in the settings and by mail',
  visitAsDriver(async page => {
    const redirect = new URL('/', demoAppUrl()).href
    const printed = await operatorCommand(
      'create-connected-app.ts',
      ['--name', 'Race office', '--description', 'Runs it.', '--redirect', redirect, '--public'].concat(
        ...['openid', 'laps:read', 'full_access'].map(scope => ['--scope', scope]),
      ),
      { DATABASE_URL: identityDatabaseUrl() },
    )
    const request = {
      client_id: /client_id (\S+)/.exec(printed)![1]!,
      redirect_uri: redirect,
      response_type: 'code',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    }
    const ask = (scope: string) => page.goto(`/consent?${new URLSearchParams({ ...request, scope })}`)
    await ask('openid laps:read')
    await card(page).getByText('It can change nothing.').waitFor()
    await ask('openid laps:read full_access')
    await card(page).getByText('Act as you in everything, as if you had signed in').waitFor()
    await card(page).getByText('It can change and delete what you can.').waitFor()
    assert.equal(await card(page).getByText('It can change nothing.').count(), 0)
    await press(page, 'Allow')
    await page.waitForURL(`${redirect}?**`)
    const { text } = await mailTo(stack.mailboxUrl(), driver.email)
    assert.match(text, /It can do what you agreed to\./)
    await page.goto('/')
    const settings = await openSecurity(page)
    await settings.getByText('Acts as you in everything', { exact: true }).waitFor()
    await settings.getByText('Some of them can change it.').waitFor()
  }),
)

test(
  'sends nobody to an address that the app has not registered',
  visitAsDriver(
    async page => {
      await page.goto('/consent?client_id=demo-app&redirect_uri=https%3A%2F%2Fevil.example%2F')
      await page
        .getByRole('alert')
        .getByText(/address that it has not registered/)
        .waitFor()
      assert.equal(await page.getByRole('button', { name: 'Allow' }).count(), 0)
      await page.goto('/consent?client_id=none&redirect_uri=https%3A%2F%2Fevil.example%2F')
      await page
        .getByRole('alert')
        .getByText(/not known here/)
        .waitFor()
      await page.goto('/consent')
      await page
        .getByRole('alert')
        .getByText(/This address is incomplete/)
        .waitFor()
    },
    { expected: [/Failed to load resource/, /^answer: 4\d\d to POST .*\/idp\//] },
  ),
)

test(
  'asks before an app signs the driver out, and goes back to the app',
  visit(async page => {
    await aDriverWhoComesBack(page)
    const query = new URLSearchParams({
      client_id: 'demo-app',
      post_logout_redirect_uri: new URL('/', demoAppUrl()).href,
    })
    await page.goto(`/consent?${query}`)
    await page.getByRole('heading', { name: 'Sign out of Lapwing?' }).waitFor()
    await press(page, 'Sign out')
    await page.getByRole('heading', { name: 'Demo app' }).waitFor()
    await page.goto('/')
    await openDialog(page, 'Log in')
  }),
)

testInBothThemes(
  {
    'the consent page': async page => {
      await connect(page)
      await page.getByRole('heading', { name: 'Connect Demo app?' }).waitFor()
    },
    'the settings with a connected app': async page => {
      await connect(page)
      await press(page, 'Allow')
      await page.getByText(/^Connected as/).waitFor()
      await page.goto('/')
      const settings = await openSecurity(page)
      await settings.getByRole('button', { name: 'Remove Demo app' }).waitFor()
    },
  },
  stack,
  { start: aDriverWhoComesBack },
)
