import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Page } from 'playwright-core'
import { agreeAt, goodPassword, newEmail } from './accounts.ts'
import { addBrowserWallets } from './browser-wallets.ts'
import { lapwing } from './harness.ts'
import { clientVersions } from './official-client/client-page.ts'
import { serveOfficialSite } from './official-client/widget-site.ts'
import { addVirtualAuthenticator } from './second-factors.ts'
import { linkIn, mailTo } from './testing/mails.ts'
import { codeTo } from './widget.ts'

/** The provider's own widget, with real presses, against the gateway and identity. */
const site = serveOfficialSite()
const returns = clientVersions.map(version => `${site.origin}/${version}/`).join(',')
const { visit, url, mailboxUrl, demoAppUrl } = lapwing({
  reach: 'accounts',
  env: {
    identity: {
      ALLOWED_ORIGINS: site.origin,
      LOGIN_REDIRECT_URLS: returns,
      SIGNUP_REDIRECT_URLS: returns,
      RESET_REDIRECT_URLS: returns,
    },
  },
})
site.pointAt(url)
after(() => site.close())

const refused = [/Failed to load resource/, /^answer: 4\d\d to POST .*\/sdk\//]
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click()
const untilSignedIn = (page: Page) => page.locator('#state').getByText('signed in', { exact: true }).waitFor()

/** Fills the six boxes, or the one field, of a code. */
async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByText(/A 6-digit passcode was sent/).waitFor()
  await page.getByRole('textbox').first().pressSequentially(code)
}

const byCode = { products: ['otp'], otpOptions: { methods: ['email'], expirationMinutes: 5 } }

/** Signs in by a code by mail, on a page that offers it. */
async function enterByCode(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await press(page, 'Continue with email')
  await enterCode(page, await codeTo(mailboxUrl(), email))
  await untilSignedIn(page)
}

for (const version of clientVersions) {
  const open = (page: Page, config: object, mount?: 'passkey' | 'idp') =>
    page.goto(site.pageOf(version, config, mount))
  const back = `${site.origin}/${version}/`

  test(
    `${version}: signs in by a code by mail`,
    visit(
      async page => {
        await open(page, byCode)
        await enterByCode(page, newEmail())
        await page.getByText('Your passcode has been successfully verified.').waitFor()
        assert.ok((await page.evaluate<string[]>('events')).includes('AUTHENTICATE_FLOW_COMPLETE'))
      },
      { expected: refused },
    ),
  )

  for (const [method, tab, button] of [
    ['sms', 'Text', 'Continue with text message'],
    ['whatsapp', 'WhatsApp', 'Continue with WhatsApp'],
  ] as const) {
    test(
      `${version}: signs in by a code by ${tab}, with the number as its country writes it`,
      visit(
        async page => {
          await open(page, {
            products: ['otp'],
            otpOptions: { methods: ['email', method], expirationMinutes: 5 },
          })
          await page.getByRole('tab', { name: tab }).click()
          await page.getByLabel('Country code').selectOption('DE')
          const number = `+49151${randomInt(10_000_000, 100_000_000)}`
          const field = page.getByLabel('Phone number')
          await field.fill(`0${number.slice(3)}`)
          // The widget sends what the frame has formatted last.
          await until(async () => /^01\d+ \d+$/.test(await field.inputValue()), 'the number is formatted')
          await press(page, button)
          await enterCode(page, await codeTo(mailboxUrl(), number))
          await untilSignedIn(page)
        },
        { expected: refused },
      ),
    )
  }

  test(
    `${version}: signs in by a mailed link`,
    visit(
      async page => {
        const email = newEmail()
        const addresses = { loginRedirectURL: back, signupRedirectURL: back }
        await open(page, { products: ['emailMagicLinks'], emailMagicLinksOptions: addresses })
        await page.getByLabel('Email').fill(email)
        await press(page, 'Continue with email')
        await page.getByText('Check your email').waitFor()
        await page.goto(linkIn(await mailTo(mailboxUrl(), email)).href)
        await untilSignedIn(page)
      },
      { expected: refused },
    ),
  )

  test(
    `${version}: creates an account by password, signs in with it, and resets it by mail`,
    visit(
      async page => {
        const email = newEmail()
        const options = { loginRedirectURL: back, resetPasswordRedirectURL: back }
        const ask = async () => {
          await open(page, { products: ['passwords'], passwordOptions: options })
          await page.getByLabel('Email').fill(email)
          await press(page, 'Continue with email')
        }
        await ask()
        const field = page.getByLabel('Password', { exact: true })
        await field.fill(goodPassword)
        await press(page, 'Continue')
        await untilSignedIn(page)

        await signOut(page)
        await ask()
        await field.fill(goodPassword)
        await press(page, 'Continue')
        await untilSignedIn(page)

        await signOut(page)
        await ask()
        await page.getByText(/^Forgot (your )?password\?$/i).click()
        await page.getByText(/A link to reset your password was sent/).waitFor()
        await page.goto(linkIn(await mailTo(mailboxUrl(), email)).href)
        await field.fill(`${goodPassword} again`)
        await press(page, 'Continue')
        await untilSignedIn(page)
      },
      { expected: refused },
    ),
  )

  test(
    `${version}: signs in by a provider`,
    visit(
      async page => {
        const addresses = { loginRedirectURL: back, signupRedirectURL: back }
        await open(page, {
          products: ['oauth'],
          oauthOptions: { providers: [{ type: 'google' }], ...addresses },
        })
        await press(page, 'Continue with Google')
        await agreeAt(page, 'Google', newEmail())
        await untilSignedIn(page)
      },
      { expected: refused },
    ),
  )

  test(
    `${version}: sets up a passkey, and signs in with it`,
    visit(
      async page => {
        await addVirtualAuthenticator(page.context(), page)
        const email = newEmail()
        await open(page, byCode)
        await enterByCode(page, email)
        await open(page, { products: [version === 'v6' ? 'passkeyRegistration' : 'passkeys'] }, 'passkey')
        await press(page, 'Create a Passkey')
        await page.getByText('Passkey successfully created!').waitFor()
        await signOut(page)
        // With a field for the address, the passkey is offered there instead of by a button.
        await open(page, {
          products: ['oauth', 'passkeys'],
          oauthOptions: { providers: [{ type: 'google' }] },
        })
        await press(page, 'Login with a Passkey')
        await page.getByText('Your Passkey has been successfully authenticated.').waitFor()
        await untilSignedIn(page)
      },
      { expected: refused },
    ),
  )

  test(
    `${version}: asks whether a connected app may read, and connects it`,
    visit(
      async page => {
        const email = newEmail()
        await open(page, byCode)
        await enterByCode(page, email)
        await page.goto(demoAppUrl())
        const link = page.getByRole('link', { name: 'Connect with Lapwing' })
        const start = new URL((await link.getAttribute('href'))!, demoAppUrl()).href
        // Lapwing's own page has the same host name, so the same cookies.
        const { location } = (await page.request.get(start, { maxRedirects: 0 })).headers()
        await page.goto(`${site.pageOf(version, {}, 'idp')}&${new URL(location!).search.slice(1)}`)
        await page
          .getByText(/Demo app/)
          .first()
          .waitFor()
        await press(page, 'Allow')
        await page.getByText(`Connected as ${email}.`).waitFor()
      },
      { expected: refused },
    ),
  )

  for (const wallet of ['Metamask', 'Phantom']) {
    test(
      `${version}: signs in by the wallet ${wallet}`,
      visit(
        async page => {
          await addBrowserWallets(page.context())
          await open(page, { products: ['crypto'] })
          await press(page, `Continue with ${wallet}`)
          await page.getByText('You have successfully connected your wallet.').waitFor()
          await untilSignedIn(page)
        },
        { expected: refused },
      ),
    )
  }
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate('client.session.revoke()')
  await page.locator('#state').getByText('signed out', { exact: true }).waitFor()
}
