import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { aDriver, callsTo, goodPassword, newEmail, openDialog, signIn, untilSignedIn } from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'
import { linkIn, mailTo } from './testing/mails.ts'

/** What password managers store, and what they fill in without an event. */
const { visit, mailboxUrl } = lapwing({ reach: 'accounts', ownAddresses: true })

/** Fills a field like some password managers do: without an event. */
async function fillSilently(field: Locator, text: string): Promise<void> {
  await field.evaluate((element, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(element, value)
  }, text)
}

const field = (dialog: Locator, name: string) => dialog.getByLabel(name, { exact: true })

/** Returns what a password manager would store of a form: the account's name and the password. */
async function stored(page: Page): Promise<readonly (string | undefined)[]> {
  return page.evaluate(() =>
    ['username', 'new-password'].map(
      what => document.querySelector<HTMLInputElement>(`input[autocomplete="${what}"]`)?.value,
    ),
  )
}

test(
  'signs in with a password that was filled in without an event, even after another field was touched',
  visit(async page => {
    await openFirstVisit(page)
    const driver = await aDriver(page)
    const dialog = await openDialog(page, 'Log in')
    await fillSilently(field(dialog, 'Email'), driver.email)
    await fillSilently(field(dialog, 'Password'), driver.password)
    await dialog.getByRole('checkbox', { name: 'Remember me' }).check()
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await untilSignedIn(page)
  }),
)

test(
  'signs up with fields that were filled in without an event, and still checks the name',
  visit(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Sign up')
    await fillSilently(field(dialog, 'Username'), '1apex')
    await fillSilently(field(dialog, 'Email'), newEmail())
    await fillSilently(field(dialog, 'Password'), goodPassword)
    await fillSilently(field(dialog, 'Confirm Password'), goodPassword)
    await dialog.getByRole('checkbox').check()
    const create = dialog.getByRole('button', { name: 'Create account', exact: true })
    await create.click()
    await dialog.getByRole('alert').getByText('Username must start with a letter', { exact: true }).waitFor()
    await fillSilently(field(dialog, 'Username'), 'silent-apex')
    await create.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Settings of silent-apex' }).waitFor()
  }),
)

test(
  'copies an address that was filled in without an event to the panel for a new password',
  visit(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Log in')
    await fillSilently(field(dialog, 'Email'), 'silent@lapwing.test')
    await dialog.getByRole('button', { name: 'Forgot Password' }).click()
    assert.equal(await field(dialog, 'Email').inputValue(), 'silent@lapwing.test')
    const starts = callsTo(page, /\/passwords\/email\/reset\/start$/)
    const email = newEmail()
    await fillSilently(field(dialog, 'Email'), email)
    await dialog.getByRole('button', { name: 'Send reset link' }).click()
    await dialog.getByText(`A mail is on its way to ${email}.`).waitFor()
    assert.equal(starts[0]?.postDataJSON().email, email)
  }),
)

test(
  'names on the reset page the account of the link, and accepts a password that a manager fills in',
  visit(async page => {
    await openFirstVisit(page)
    const { email } = await aDriver(page)
    const dialog = await openDialog(page, 'Log in')
    await dialog.getByRole('button', { name: 'Forgot Password' }).click()
    await field(dialog, 'Email').fill(email)
    await dialog.getByRole('button', { name: 'Send reset link' }).click()
    await screen.toast(page).getByText('Reset link sent. Check your inbox.', { exact: true }).waitFor()
    const link = linkIn(await mailTo(mailboxUrl(), email))
    // A mail opens its link in a separate tab.
    const tab = await page.context().newPage()
    await tab.goto(link.href)
    const account = tab.getByLabel('Email', { exact: true })
    assert.equal(await account.inputValue(), email)
    assert.equal(await account.isEditable(), false)
    for (const name of ['New Password', 'Confirm Password']) {
      await fillSilently(tab.getByLabel(name, { exact: true }), 'a dry line appears at last')
    }
    assert.deepEqual(await stored(tab), [email, 'a dry line appears at last'])
    await tab.getByRole('button', { name: 'Set New Password' }).click()
    await tab.getByText('Password updated successfully! You are now signed in.', { exact: true }).waitFor()
    assert.equal(await tab.evaluate(() => localStorage.getItem('lapwing.reset-email')), null)
  }),
)

test(
  'names on the reset page the account of the session, and none if it is unknown',
  visit(async page => {
    await page.goto('/reset?stytch_token_type=reset_password&token=made-up')
    await page.getByLabel('New Password', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Email').count(), 0)
    await openFirstVisit(page)
    const { email } = await signIn(page)
    await page.goto('/reset?stytch_token_type=reset_password&token=made-up')
    await page.getByLabel('Email', { exact: true }).waitFor()
    assert.deepEqual(await stored(page), [email, ''])
  }),
)
