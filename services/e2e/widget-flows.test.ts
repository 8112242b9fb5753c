import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { SCREENS } from '../../frontend/widget/src/machine/transitions.ts'
import { agreeAt, goodPassword, newEmail } from './accounts.ts'
import { addBrowserWallets } from './browser-wallets.ts'
import { lapwing } from './harness.ts'
import { addVirtualAuthenticator, totpCode } from './second-factors.ts'
import { linkIn, mailTo } from './testing/mails.ts'
import {
  codeTo,
  IDP_PATH,
  LINK_PATH,
  lookAtScreens,
  ORGANIZATION_SCREENS,
  openWidget,
  press,
  serveForeignSite,
  untilProblem,
} from './widget.ts'

/** Every way in, through the widget on a page of another origin, with the real identity. */
const site = serveForeignSite()
const linkUrl = `${site.origin}${LINK_PATH}`
const idpUrl = `${site.origin}${IDP_PATH}`
const { visit, url, mailboxUrl, demoAppUrl } = lapwing({
  reach: 'accounts',
  env: {
    identity: {
      ALLOWED_ORIGINS: site.origin,
      LOGIN_REDIRECT_URLS: `${linkUrl},${idpUrl}`,
      SIGNUP_REDIRECT_URLS: `${linkUrl},${idpUrl}`,
      RESET_REDIRECT_URLS: linkUrl,
    },
  },
})
site.pointAt(url)
after(() => site.close())

/** Errors that the browser logs for answers that a test causes. */
const refused = [/Failed to load resource/, /^answer: 4\d\d to POST .*\/sdk\//]
const byCode = { products: 'otp', 'otp-methods': 'email' }
const links = { 'login-redirect-url': linkUrl, 'reset-redirect-url': linkUrl }

const { untilScreen, seen } = lookAtScreens()
const codeOf = (address: string) => codeTo(mailboxUrl(), address)

/** Asks for a code by mail on Main. */
async function askForCode(widget: Locator, email: string): Promise<void> {
  await widget.getByLabel('Email').fill(email)
  await press(widget, 'Continue with email')
  await untilScreen(widget, 'Enter passcode')
}

/** Signs in by a code. The six digits send themselves. */
async function enterByCode(widget: Locator, email: string): Promise<void> {
  await askForCode(widget, email)
  await widget.getByLabel('One-time passcode').fill(await codeOf(email))
}

async function logOut(widget: Locator): Promise<void> {
  await press(widget, 'Log out')
  await untilScreen(widget, 'Sign up or log in')
}

/** Searches an address on Main, where a password is the first product. */
async function search(widget: Locator, email: string): Promise<void> {
  await widget.getByLabel('Email').fill(email)
  await press(widget, 'Continue with email')
}

async function createByPassword(widget: Locator, email: string): Promise<void> {
  await search(widget, email)
  await untilScreen(widget, 'Create your account')
  await widget.getByLabel('New password').fill(goodPassword)
  await widget.getByText('This password is strong enough.').waitFor()
  await press(widget, 'Continue')
  await untilScreen(widget, 'Success!')
  await press(widget, 'Done')
}

const sessionOf = async (page: Page) =>
  (await page.context().cookies(site.origin)).filter(({ name }) => name.startsWith('stytch_session'))

test(
  'signs in by a code, explains wrong ones, and signs out',
  visit(
    async page => {
      const widget = await openWidget(page, site, byCode)
      await widget.getByLabel('Email').fill('ada@')
      await press(widget, 'Continue with email')
      await untilProblem(widget, 'Invalid email address.')
      const email = newEmail()
      await askForCode(widget, email)
      await widget.getByText(/^Your code expires in 4:\d\d\.$/).waitFor()
      await widget.getByLabel('One-time passcode').fill('000000')
      await untilProblem(widget, 'Invalid passcode, please try again.')
      await widget.getByLabel('One-time passcode').fill(await codeOf(email))
      await untilScreen(widget, 'Success!')
      await press(widget, 'Done')
      await untilScreen(widget, 'You are signed in')
      assert.deepEqual((await sessionOf(page)).map(({ name }) => name).toSorted(), [
        'stytch_session',
        'stytch_session_jwt',
      ])
      await page.reload()
      await untilScreen(widget, 'You are signed in')
      await logOut(widget)
      assert.deepEqual(await sessionOf(page), [])
    },
    { expected: refused },
  ),
)

test(
  'signs in by a mailed link once, and says that it was used',
  visit(
    async page => {
      const widget = await openWidget(page, site, { products: 'emailMagicLinks', ...links })
      await widget.getByLabel('Email').fill('ada')
      await press(widget, 'Continue with email')
      await untilProblem(widget, 'Email format is invalid.')
      const email = newEmail()
      await widget.getByLabel('Email').fill(email)
      await press(widget, 'Continue with email')
      await untilScreen(widget, 'Check your email')
      await widget.getByRole('link', { name: 'Open Gmail' }).waitFor()
      const link = linkIn(await mailTo(mailboxUrl(), email))
      await page.goto(link.href)
      await untilScreen(widget, 'You are signed in')
      assert.equal(page.url(), linkUrl)
      await logOut(widget)
      await page.goto(link.href)
      await untilScreen(widget, 'Something went wrong')
      await untilProblem(widget, /already been used or has expired/)
      await press(widget, 'Try again')
      await untilScreen(widget, 'Sign up or log in')
    },
    { expected: refused },
  ),
)

test(
  'creates an account by password, resets it by mail, and signs in again',
  visit(
    async page => {
      const widget = await openWidget(page, site, { products: 'passwords', ...links })
      const email = newEmail()
      await createByPassword(widget, email)
      await logOut(widget)

      await search(widget, email)
      await untilScreen(widget, 'Log in')
      await press(widget, 'Continue')
      await untilProblem(widget, 'Please fill in this field.')
      await widget.getByLabel('Password', { exact: true }).fill('wrong')
      await press(widget, 'Continue')
      await untilProblem(widget, 'Unauthorized credentials.')
      await press(widget, 'Forgot password?')
      await untilScreen(widget, 'Check your email')
      const link = linkIn(await mailTo(mailboxUrl(), email))
      await press(widget, 'Log in with your password')
      await untilScreen(widget, 'Log in')
      await press(widget, 'Forgot password?')
      await untilScreen(widget, 'Forgot password?')
      await press(widget, 'Send a reset link')
      await untilScreen(widget, 'Check your email')

      await page.goto(link.href)
      await untilScreen(widget, 'Set a new password')
      await widget.getByLabel('New password').fill(`${goodPassword} again`)
      await press(widget, 'Continue')
      await untilScreen(widget, 'Success!')
      await press(widget, 'Done')
      await logOut(widget)
    },
    { expected: refused },
  ),
)

test(
  'reaches the password by a button if the address gets a link',
  visit(
    async page => {
      const widget = await openWidget(page, site, { products: 'emailMagicLinks passwords', ...links })
      await press(widget, 'Use a password')
      await untilScreen(widget, 'Use a password')
      await widget.getByLabel('Email').fill(newEmail())
      await press(widget, 'Continue')
      await untilScreen(widget, 'Create your account')
      await press(widget, 'Email me a login link')
      await untilScreen(widget, 'Check your email')
      await press(widget, 'Back')
      await untilScreen(widget, 'Sign up or log in')
    },
    { expected: refused },
  ),
)

test(
  'offers an account without a password a code, and a mail to set a password',
  visit(
    async page => {
      const email = newEmail()
      const widget = await openWidget(page, site, byCode)
      await enterByCode(widget, email)
      await untilScreen(widget, 'Success!')
      await press(widget, 'Done')
      await logOut(widget)

      await openWidget(page, site, { products: 'passwords otp', 'otp-methods': 'email', ...links })
      await search(widget, email)
      await untilScreen(widget, 'Enter passcode')
      await press(widget, 'Create a password instead')
      await untilScreen(widget, 'Check your email')
      await widget.getByText(`A link to set a password was sent to ${email}.`).waitFor()

      await openWidget(page, site, { products: 'passwords', ...links })
      await search(widget, email)
      await widget.getByText(`A link to set a password was sent to ${email}.`).waitFor()
    },
    { expected: refused },
  ),
)

test(
  'asks for a new password if the address was proved after the password, or the password is known to thieves',
  visit(
    async page => {
      const email = newEmail()
      const widget = await openWidget(page, site, { products: 'passwords', ...links })
      await createByPassword(widget, email)
      await logOut(widget)
      await openWidget(page, site, byCode)
      await enterByCode(widget, email)
      await untilScreen(widget, 'Success!')
      await press(widget, 'Done')
      await logOut(widget)

      await openWidget(page, site, { products: 'passwords', ...links })
      await search(widget, email)
      await widget.getByLabel('Password', { exact: true }).fill(goodPassword)
      await press(widget, 'Continue')
      await untilScreen(widget, 'Confirm your email to go on')

      // Only another provider of the protocol finds such a password of an existing account.
      await page.route('**/sdk/v1/passwords/authenticate', route =>
        route.fulfill({
          status: 400,
          headers: { 'access-control-allow-origin': site.origin, 'access-control-allow-credentials': 'true' },
          json: { status_code: 400, error_type: 'breached_password', error_message: 'breached' },
        }),
      )
      await press(widget, 'Back')
      await search(widget, email)
      await widget.getByLabel('Password', { exact: true }).fill(goodPassword)
      await press(widget, 'Continue')
      await untilScreen(widget, 'Set a new password')
    },
    { expected: refused },
  ),
)

test(
  'signs in by a text to a number in the way of its country',
  visit(
    async page => {
      const widget = await openWidget(page, site, { products: 'otp', 'otp-methods': 'sms email' })
      await widget.getByRole('tab', { name: 'Text' }).waitFor()
      const field = widget.getByLabel('Phone number')
      assert.equal(await field.getAttribute('placeholder'), '(123) 456-7890')
      assert.equal((await field.boundingBox())!.height, 47)
      const country = widget.getByLabel('Country code')
      assert.equal((await country.boundingBox())!.width, 80)
      await field.fill('12')
      await press(widget, 'Continue with text message')
      await untilProblem(
        widget,
        'Phone number format is invalid. Ensure the phone number is in the E.164 format.',
      )
      await country.selectOption('DE')
      const number = `+49151${randomInt(10_000_000, 100_000_000)}`
      await field.fill('')
      await field.pressSequentially(`0${number.slice(3)}`)
      await press(widget, 'Continue with text message')
      await untilScreen(widget, 'Enter passcode')
      await widget.getByText(number).waitFor()
      await widget.getByLabel('One-time passcode').fill(await codeOf(number))
      await untilScreen(widget, 'Success!')
    },
    { expected: refused },
  ),
)

test(
  'signs in by a provider and returns to the page',
  visit(async page => {
    const widget = await openWidget(page, site, { products: 'oauth', providers: 'google discord', ...links })
    await press(widget, 'Continue with Google')
    await agreeAt(page, 'Google', newEmail())
    await page.waitForURL(linkUrl)
    await untilScreen(widget, 'You are signed in')
  }),
)

test(
  'sets up a passkey after a sign-in, and signs in with it by its button and in the e-mail field',
  visit(async (page, t) => {
    t.diagnostic('with a virtual authenticator')
    const authenticator = await addVirtualAuthenticator(page.context(), page)
    const widget = await openWidget(page, site, { ...byCode, products: 'otp passkeys' })
    await enterByCode(widget, newEmail())
    await untilScreen(widget, 'Set up a passkey')
    await press(widget, 'Create a passkey')
    await untilScreen(widget, 'Passkey created')
    await press(widget, 'Done')
    await untilScreen(widget, 'You are signed in')
    await authenticator.waitWhile(() => logOut(widget))
    await press(widget, 'Log in with a passkey')
    await untilScreen(widget, 'Success!')
    await widget.getByText('Your passkey has been confirmed.').waitFor()
    await press(widget, 'Done')
    await untilScreen(widget, 'You are signed in')
    // The authenticator takes what the field offers immediately.
    await press(widget, 'Log out')
    await untilScreen(widget, 'Success!')
  }),
)

test(
  'signs in by a wallet, and explains what a wallet refuses',
  visit(async page => {
    const wallets = await addBrowserWallets(page.context())
    const widget = await openWidget(page, site, { products: 'crypto' })
    wallets.set('refuses')
    await press(widget, 'Continue with Metamask')
    await untilScreen(widget, 'The wallet could not sign you in')
    const { promise: mayStart, resolve: start } = Promise.withResolvers<void>()
    await page.route('**/crypto_wallets/authenticate/start/primary', async route => {
      await mayStart
      await route.continue()
    })
    wallets.set('waits')
    await press(widget, 'Try again')
    await untilScreen(widget, 'Connecting to your wallet…')
    start()
    await untilScreen(widget, 'Waiting for your signature…')
    await press(widget, 'Back')
    await press(widget, 'Continue with other crypto wallet')
    await untilScreen(widget, 'Choose a wallet')
    await press(widget, 'Continue with Vessel')
    await untilScreen(widget, 'Set up a crypto wallet')
    await press(widget, 'Back')
    wallets.set('confirms')
    await press(widget, 'Continue with Phantom')
    await untilScreen(widget, 'Success!')
    await widget.getByText('You have connected your wallet.').waitFor()
  }),
)

test(
  'sets up an authenticator app, asks for it at the next sign-in, and accepts a recovery code',
  visit(
    async page => {
      const email = newEmail()
      const widget = await openWidget(page, site, { ...byCode, 'mfa-methods': 'totp smsOtp' })
      await enterByCode(widget, email)
      await untilScreen(widget, 'Protect your account')
      await press(widget, 'Authenticator app')
      await untilScreen(widget, 'Scan the QR code')
      await widget.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
      await press(widget, 'Enter the key by hand')
      await untilScreen(widget, 'Enter the key')
      const secret = (await widget.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent())!
      await widget.getByLabel('Code of your authenticator app').fill(totpCode(secret.replaceAll(' ', '')))
      await untilScreen(widget, 'Save your recovery codes')
      const code = (await widget.getByRole('listitem').allTextContents())[0]!
      await press(widget, 'I have saved them')
      await logOut(widget)

      await enterByCode(widget, email)
      await untilScreen(widget, 'Second step')
      assert.deepEqual(await sessionOf(page), [])
      await widget.getByLabel('Code of your authenticator app').fill(totpCode(secret.replaceAll(' ', ''), 20))
      await untilProblem(widget, /wrong or too old/)
      await press(widget, 'Use a recovery code')
      await untilScreen(widget, 'Use a recovery code')
      await widget.getByLabel('Recovery code').fill(code)
      await press(widget, 'Continue')
      await untilScreen(widget, 'You are signed in')
    },
    { expected: refused },
  ),
)

test(
  'adds a phone number after a sign-in',
  visit(
    async page => {
      const widget = await openWidget(page, site, { ...byCode, 'mfa-methods': 'smsOtp' })
      await enterByCode(widget, newEmail())
      await untilScreen(widget, 'Protect your account')
      await press(widget, 'Text message')
      await untilScreen(widget, 'Add your phone number')
      const number = `+49151${randomInt(10_000_000, 100_000_000)}`
      await widget.getByLabel('Country code').selectOption('DE')
      await widget.getByLabel('Phone number').fill(number)
      await press(widget, 'Continue with text message')
      await untilScreen(widget, 'Enter passcode')
      await widget.getByLabel('One-time passcode').fill(await codeOf(number))
      await untilScreen(widget, 'You are signed in')
    },
    { expected: refused },
  ),
)

test(
  'says that sign-in is blocked, and goes on when it is not any more',
  visit(
    async page => {
      await page.route('**/sdk/v1/projects/bootstrap/*', route => route.abort('blockedbyclient'))
      const widget = await openWidget(page, site, byCode)
      await untilScreen(widget, 'Sign-in is blocked')
      await page.unrouteAll()
      await press(widget, 'Try again')
      await untilScreen(widget, 'Sign up or log in')
    },
    { expected: [/Failed to load resource/, /^request: GET .*bootstrap.*ERR_BLOCKED_BY_CLIENT/] },
  ),
)

test(
  'sends a link or a code to an address, as the person chooses',
  visit(
    async page => {
      const email = newEmail()
      const widget = await openWidget(page, site, {
        products: 'emailMagicLinks',
        'email-choice': 'on',
        ...links,
      })
      await widget.getByLabel('Email').fill(email)
      await press(widget, 'Continue with email')
      await untilScreen(widget, 'Choose how to sign in')
      await press(widget, 'Email me a login link')
      await untilScreen(widget, 'Check your email')
      await mailTo(mailboxUrl(), email)
      await press(widget, 'Back')
      await press(widget, 'Continue with email')
      await press(widget, 'Email me a login code')
      await untilScreen(widget, 'Enter passcode')
      await widget.getByLabel('One-time passcode').fill('000000')
      await untilProblem(widget, 'Invalid passcode, please try again.')
      await widget.getByLabel('One-time passcode').fill(await codeOf(email))
      await untilScreen(widget, 'Success!')
    },
    { expected: refused },
  ),
)

/** Asks to connect the demo app on the site's page. Lapwing's own has the same host name, so the same cookies. */
async function askToConnect(page: Page): Promise<Locator> {
  await page.goto(demoAppUrl())
  const link = page.getByRole('link', { name: 'Connect with Lapwing' })
  const start = new URL((await link.getAttribute('href'))!, demoAppUrl()).href
  const { location } = (await page.request.get(start, { maxRedirects: 0 })).headers()
  await page.goto(`${idpUrl}${new URL(location!).search}`)
  return page.locator('lapwing-login')
}

test(
  'asks whether a connected app may read, connects it, and lets the person cancel or choose another account',
  visit(async page => {
    const email = newEmail()
    const widget = await askToConnect(page)
    await enterByCode(widget, email)
    await untilScreen(widget, 'Success!')
    await press(widget, 'Done')
    await untilScreen(widget, 'Connect Demo app?')
    const listed = await widget.getByRole('listitem').allTextContents()
    assert.ok(listed.includes('Read your saved laps, and the laps that you can compare with'))
    await widget.getByText(`You then go to ${new URL(demoAppUrl()).host}.`).waitFor()
    await widget.getByText(`You are signed in as ${email}.`).waitFor()
    await press(widget, 'Cancel')
    await page.getByText('You did not connect the app.').waitFor()

    await askToConnect(page)
    await untilScreen(widget, 'Connect Demo app?')
    await press(widget, 'Use another account')
    await untilScreen(widget, 'Sign up or log in')
    // The visit to a provider loses the address of the page.
    const other = newEmail()
    await press(widget, 'Continue with Google')
    await agreeAt(page, 'Google', other)
    await untilScreen(widget, 'Connect Demo app?')
    await press(widget, 'Allow')
    await page.getByText(`Connected as ${other}.`).waitFor()
    assert.ok(page.url().startsWith(demoAppUrl()))
  }),
)

test(
  'asks before it signs the person out for an app',
  visit(
    async page => {
      const widget = await openWidget(page, site, byCode)
      await enterByCode(widget, newEmail())
      await untilScreen(widget, 'Success!')
      const back = new URL('/', demoAppUrl()).href
      const signOut = new URLSearchParams({ client_id: 'demo-app', post_logout_redirect_uri: back })
      await page.goto(`${idpUrl}?${signOut}`)
      await untilScreen(widget, 'Log out?')
      await press(widget, 'Stay signed in')
      await untilScreen(widget, 'You are signed in')
      await page.goto(`${idpUrl}?${signOut}`)
      await press(widget, 'Log out')
      await page.waitForURL(back)
      assert.deepEqual(await sessionOf(page), [])
    },
    { expected: refused },
  ),
)

test(
  'sends nobody to an address that the app has not registered',
  visit(
    async page => {
      const widget = page.locator('lapwing-login')
      await page.goto(`${idpUrl}?client_id=demo-app&redirect_uri=https%3A%2F%2Fevil.example%2F`)
      await enterByCode(widget, newEmail())
      await press(widget, 'Done')
      await untilProblem(widget, /address that it has not registered/)
      await untilScreen(widget, 'You are signed in')
      assert.equal(await widget.getByRole('button', { name: 'Allow' }).count(), 0)
    },
    { expected: refused },
  ),
)

test('reached and looked at every screen, but those of organizations', () => {
  const others = SCREENS.filter(screen => !ORGANIZATION_SCREENS.includes(screen as never))
  assert.deepEqual([...seen].toSorted(), others.toSorted())
})
