import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { aDriver, callsTo, goodPassword, newEmail, openDialog, signIn, untilSignedIn } from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'
import { linkIn, mailTo } from './testing/accounts-stack.ts'

/** What password managers store, and what they fill in without telling the page. */
const { visit, mailboxUrl } = lapwing({ reach: 'accounts', ownAddresses: true })

/** Fills a field as some password managers do: no event tells the page. */
async function fillSilently(field: Locator, text: string): Promise<void> {
  await field.evaluate((element, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(element, value)
  }, text)
}

const field = (dialog: Locator, name: string) => dialog.getByLabel(name, { exact: true })

/** What a password manager would store of a form: its name for the account, and the password. */
async function stored(page: Page): Promise<readonly (string | undefined)[]> {
  return page.evaluate(() =>
    ['username', 'new-password'].map(
      what => document.querySelector<HTMLInputElement>(`input[autocomplete="${what}"]`)?.value,
    ),
  )
}

test(
  'what a manager fills in without an event signs in, also after another field was touched',
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
  'what a manager fills in without an event signs up, and the name is judged all the same',
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
  'an address that was filled in without an event is there in the panel for a new password',
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
  'the reset page names the account that this browser asked a link for, and takes what a manager fills in',
  visit(async page => {
    await openFirstVisit(page)
    const { email } = await aDriver(page)
    const dialog = await openDialog(page, 'Log in')
    await dialog.getByRole('button', { name: 'Forgot Password' }).click()
    await field(dialog, 'Email').fill(email)
    await dialog.getByRole('button', { name: 'Send reset link' }).click()
    await screen.toast(page).getByText('Reset link sent. Check your inbox.', { exact: true }).waitFor()
    const link = linkIn(await mailTo(mailboxUrl(), email))
    // A mail opens in a tab of its own.
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
  'the reset page names the account of the session, and no account if nothing is known',
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
