import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { goodPassword, newEmail, openDialog, signOut, untilSignedIn } from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit } from './screen.ts'
import { signInHalf, totpCode } from './second-factors.ts'

/** Signing up and in while the operator requires a second factor of everybody. */
const { visit } = lapwing({
  reach: 'accounts',
  ownAddresses: true,
  env: { identity: { SECOND_FACTOR: 'required' } },
})
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
    { expected: [/Failed to load resource/, /^answer: 4\d\d to (GET|POST) .*\/(sdk|api)\//] },
  ),
)
