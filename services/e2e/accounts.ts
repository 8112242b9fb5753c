import type { Locator, Page } from 'playwright-core'
import { type FakeAccounts, fakeAccounts } from './fake-accounts.ts'
import { openFirstVisit } from './screen.ts'

export const driver = { email: 'driver@lapwing.test', password: 'correct horse' }

/** Opens the first visit with accounts that the test can bend. */
export async function withAccounts(page: Page, path = '/'): Promise<FakeAccounts> {
  const accounts = await fakeAccounts(page)
  await openFirstVisit(page, path)
  return accounts
}

/** Opens the auth dialog on a tab. */
export async function openDialog(page: Page, tab: 'Sign up' | 'Log in'): Promise<Locator> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: tab }).click()
  return dialog
}

/** Signs the driver in by the dialog. */
export async function signIn(page: Page, { identity }: FakeAccounts): Promise<void> {
  identity.addUser(driver)
  const dialog = await openDialog(page, 'Log in')
  await dialog.getByLabel('Email').fill(driver.email)
  await dialog.getByLabel('Password', { exact: true }).fill(driver.password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Settings of/ }).waitFor()
}

/** Opens the settings of the person who is signed in. */
export async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Settings of/ }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.waitFor()
  return settings
}
