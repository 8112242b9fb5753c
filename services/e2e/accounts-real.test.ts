import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openDialog, openSettings } from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit } from './screen.ts'
import { linkIn, mailTo } from './testing/accounts-stack.ts'

/** Nothing here is played by a fake: page, gateway, identity, account, Postgres, mails. */
const { visit, mailboxUrl } = lapwing()
/** What the browser itself logs of the one sign-in that is refused. */
const refusedSignIn = [
  /Failed to load resource/,
  /^answer: 401 to POST .*\/sdk\/v1\/passwords\/authenticate$/,
]

/** A deleted account may be gone before the page can end its session. */
const sessionGone = [/Failed to load resource/, /^answer: 404 to POST .*\/sdk\/v1\/sessions\/revoke$/]

const email = 'apex@lapwing.test'
const password = 'four wet tyres in the rain'
const newPassword = 'a dry line appears at last'

const saw = (page: Page, sentence: string) => page.getByText(sentence, { exact: true }).first().waitFor()
/** Signing out loads the page anew. */
async function signOut(page: Page, settings: Locator): Promise<void> {
  const loaded = page.waitForEvent('load')
  await settings.getByRole('button', { name: 'Sign out' }).click()
  await saw(page, 'Signed out')
  await loaded
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}
const settingsOf = (page: Page, name: string) => page.getByRole('button', { name: `Settings of ${name}` })

test(
  'sign up, save preferences, rename, stay signed in after a reload, sign out',
  visit(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Sign up')
    await dialog.getByLabel('Username').fill('ApexHunter')
    await dialog.getByText('Username available', { exact: true }).waitFor()
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByLabel('Confirm Password', { exact: true }).fill(password)
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await settingsOf(page, 'ApexHunter').waitFor()

    const settings = await openSettings(page)
    await settings.getByText(email, { exact: true }).waitFor()
    await settings.getByLabel('Product Waitlist').check()
    await settings.getByRole('button', { name: 'Save Preferences' }).click()
    await saw(page, 'Preferences saved successfully!')
    await settings.getByRole('button', { name: 'Edit username' }).click()
    const rename = page.getByRole('dialog', { name: 'Update username' })
    await rename.getByLabel('Username').fill('LateBraker')
    await rename.getByText('Username available', { exact: true }).waitFor()
    await rename.getByRole('button', { name: 'Update Username' }).click()
    await saw(page, 'Username updated successfully!')

    await page.reload()
    await settingsOf(page, 'LateBraker').waitFor()
    const again = await openSettings(page)
    await again.getByText(/^Number 1 on the waitlist/).waitFor()
    assert.equal(await again.getByLabel('Product Waitlist').isChecked(), true)
    await signOut(page, again)
  }),
)

test(
  'a forgotten password is set anew by the link of the mail, and the old one is refused',
  visit(
    async page => {
      await openFirstVisit(page)
      const dialog = await openDialog(page, 'Log in')
      await dialog.getByRole('button', { name: /Forgot/ }).click()
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByRole('button', { name: /Send/ }).click()
      await saw(page, 'Reset link sent. Check your inbox.')
      await page.goto(linkIn(await mailTo(mailboxUrl(), email)).href)
      await page.getByLabel('New Password', { exact: true }).fill(newPassword)
      await page.getByLabel('Confirm Password', { exact: true }).fill(newPassword)
      await page.getByRole('button', { name: 'Set New Password' }).click()
      await saw(page, 'Password updated successfully! You are now signed in.')
      await settingsOf(page, 'LateBraker').waitFor()
      await signOut(page, await openSettings(page))

      const login = await openDialog(page, 'Log in')
      await login.getByLabel('Email').fill(email)
      await login.getByLabel('Password', { exact: true }).fill(password)
      await login.getByRole('button', { name: 'Sign in', exact: true }).click()
      await saw(page, 'Unauthorized credentials.')
      await login.getByLabel('Password', { exact: true }).fill(newPassword)
      await login.getByRole('button', { name: 'Sign in', exact: true }).click()
      await settingsOf(page, 'LateBraker').waitFor()
    },
    { expected: refusedSignIn },
  ),
)

for (const provider of ['Google', 'Discord'] as const) {
  test(
    `sign in with Local ${provider}, and delete the account`,
    visit(
      async page => {
        await openFirstVisit(page)
        const dialog = await openDialog(page, 'Log in')
        await dialog.getByRole('button', { name: `Continue with ${provider}` }).click()
        await page.getByRole('heading', { name: `Local ${provider}` }).waitFor()
        await page.getByLabel('Email').fill(`${provider.toLowerCase()}@lapwing.test`)
        await page.getByRole('button', { name: 'Continue' }).click()
        await saw(page, 'Welcome to Lapwing!')
        const settings = await openSettings(page)
        const name = await settings.getByText(/^user[a-z0-9]{7}$/).textContent()
        await settings.getByRole('button', { name: 'Delete account' }).click()
        const confirm = page.getByRole('dialog', { name: 'Delete account' })
        await confirm.getByRole('textbox').fill(name!)
        await confirm.getByRole('button', { name: 'Delete account' }).click()
        await confirm.getByRole('button', { name: 'Delete everything' }).click()
        await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      },
      { expected: sessionGone },
    ),
  )
}
