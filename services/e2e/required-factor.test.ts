import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { goodPassword, newEmail, openDialog, signOut, untilSignedIn } from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit } from './screen.ts'
import { addVirtualAuthenticator, signInHalf, totpCode } from './second-factors.ts'
import {
  codeTo,
  openWidget,
  press as pressIn,
  serveForeignSite,
  untilProblem,
  untilScreen,
} from './widget.ts'

/** Signing up and in while the operator requires a second factor of everybody. */
const site = serveForeignSite()
const { visit, url, mailboxUrl } = lapwing({
  reach: 'accounts',
  ownAddresses: true,
  env: { identity: { SECOND_FACTOR: 'required', ALLOWED_ORIGINS: site.origin } },
})
site.pointAt(url)
after(() => site.close())

const refused = [/Failed to load resource/, /^answer: 4\d\d to (GET|POST) .*\/(sdk|api)\//]
const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

test(
  'sets up an authenticator app before a new driver is signed in, and asks for it at the next sign-in',
  visit(
    async page => {
      await openFirstVisit(page)
      const email = newEmail()
      const dialog = await openDialog(page, 'Sign up')
      const username = `required${Date.now() % 1_000_000}`
      await dialog.getByLabel('Username').fill(username)
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByLabel('Password', { exact: true }).fill(goodPassword)
      await dialog.getByLabel('Confirm Password', { exact: true }).fill(goodPassword)
      await dialog.getByRole('checkbox').click()
      await press(dialog, 'Create account')
      await dialog.getByRole('heading', { name: 'Second step' }).waitFor()
      await dialog.getByText(/^Everybody here signs in with an authenticator app/).waitFor()
      assert.equal((await page.context().cookies()).filter(({ name }) => name === 'stytch_session').length, 0)
      await press(dialog, 'Set up authenticator app')
      await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').nth(9).waitFor()
      await press(dialog, 'I have saved them')
      const key = dialog.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)
      const secret = (await key.textContent())!.replaceAll(' ', '')
      const code = dialog.getByLabel('Code that the app shows')
      await code.fill(totpCode(secret, 20))
      await press(dialog, 'Confirm')
      await dialog.getByRole('alert').waitFor()
      await code.fill(totpCode(secret))
      await press(dialog, 'Confirm')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: `Settings of ${username}` }).waitFor()

      await signOut(page)
      const again = await signInHalf(page, { email, password: goodPassword })
      await again.getByLabel('Code', { exact: true }).fill(totpCode(secret, 1))
      await press(again, 'Continue')
      await untilSignedIn(page)
    },
    { expected: refused },
  ),
)

/** Signs in to the widget by a mailed code, up to its next screen. */
async function enterByCode(widget: Locator, email: string): Promise<void> {
  await widget.getByLabel('Email').fill(email)
  await pressIn(widget, 'Continue with email')
  await widget.getByLabel('One-time passcode').fill(await codeTo(mailboxUrl(), email))
}

async function logOutOf(widget: Locator): Promise<void> {
  await pressIn(widget, 'Log out')
  await untilScreen(widget, 'Sign up or log in')
}

test(
  'the widget sets up an app before a person is signed in, and asks for it or a passkey at the next sign-in',
  visit(
    async page => {
      const authenticator = await addVirtualAuthenticator(page.context(), page)
      const email = newEmail()
      const byCode = { products: 'otp passkeys', 'otp-methods': 'email' }
      const widget = await openWidget(page, site, byCode)
      const sessions = async () =>
        (await page.context().cookies(site.origin)).filter(({ name }) => name === 'stytch_session')
      await enterByCode(widget, email)
      await untilScreen(widget, 'Protect your account')
      await widget.getByText(/^Everybody here signs in with an authenticator app/).waitFor()
      assert.equal(await widget.getByRole('button', { name: 'Skip' }).count(), 0)
      await pressIn(widget, 'Authenticator app')
      await untilScreen(widget, 'Scan the QR code')
      await pressIn(widget, 'Enter the key by hand')
      const key = await widget.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()
      const secret = key!.replaceAll(' ', '')
      const code = widget.getByLabel('Code of your authenticator app')
      await code.fill(totpCode(secret, 20))
      await untilProblem(widget, /wrong or too old/)
      assert.deepEqual(await sessions(), [])
      await code.fill(totpCode(secret))
      await untilScreen(widget, 'Save your recovery codes')
      assert.equal(await widget.getByRole('listitem').count(), 10)
      await pressIn(widget, 'I have saved them')
      await untilScreen(widget, 'Set up a passkey')
      await pressIn(widget, 'Skip')
      await untilScreen(widget, 'You are signed in')
      assert.equal((await sessions()).length, 1)

      await logOutOf(widget)
      await enterByCode(widget, email)
      await untilScreen(widget, 'Second step')
      await code.fill(totpCode(secret, 1))
      await untilScreen(widget, 'Set up a passkey')
      await pressIn(widget, 'Create a passkey')
      await pressIn(widget, 'Done')
      await untilScreen(widget, 'You are signed in')

      // Without the app, the passkey is the only second factor.
      await page.evaluate(removeApp, url())
      await authenticator.waitWhile(() => logOutOf(widget))
      await enterByCode(widget, email)
      await widget.getByText('Your account has a passkey. Log in with it to go on.').waitFor()
      await pressIn(widget, 'Log in with a passkey')
      await widget.getByText('Your passkey has been confirmed.').waitFor()
    },
    { expected: refused },
  ),
)

/** Removes the authenticator app of the account that is signed in on the page. */
async function removeApp(lapwingUrl: string): Promise<void> {
  const token = 'public-token-live-lapwing'
  const session = /stytch_session=([^;]+)/.exec(document.cookie)![1]!
  const headers = {
    authorization: `Basic ${btoa(`${token}:${decodeURIComponent(session)}`)}`,
    'content-type': 'application/json',
  }
  const call = (method: string, path: string) =>
    fetch(`${lapwingUrl}/sdk/v1/users${path}`, { method, headers, credentials: 'include' })
  const { data } = await (await call('GET', '/me')).json()
  const removed = await call('DELETE', `/totps/${data.totps[0].totp_id}`)
  if (!removed.ok) throw new Error(await removed.text())
}
