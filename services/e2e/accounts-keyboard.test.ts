import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { aDriver, goodPassword, hold, newEmail, stopClock } from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'
import { linkIn, mailTo } from './testing/mails.ts'

/** Everything about an account with keys alone, with the real services, mails and local providers. */
const { visit, mailboxUrl } = lapwing({ reach: 'accounts', ownAddresses: true })

const toast = (page: Page, sentence: string) =>
  screen.toast(page).getByText(sentence, { exact: true }).waitFor()
const settingsButton = (page: Page, name: string | RegExp = /^Settings of/) =>
  page.getByRole('button', { name })

/** Presses Tab, or Shift+Tab, until the target has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  assert.fail(`${key} never reaches ${target}`)
}

async function press(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(page, target, key)
  await page.keyboard.press('Enter')
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
  assert.equal(await target.inputValue(), text)
}

async function openDialog(page: Page, tab: 'Sign up' | 'Log in'): Promise<Locator> {
  await press(page, page.getByRole('button', { name: 'Sign in', exact: true }))
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('tab', { selected: true }))
  if ((await dialog.getByRole('tab', { selected: true }).textContent()) !== tab) {
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('tab', { name: tab, selected: true }).waitFor()
  }
  return dialog
}

async function openSettings(page: Page): Promise<Locator> {
  await press(page, settingsButton(page))
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.waitFor()
  return settings
}

async function signOut(page: Page): Promise<void> {
  const settings = await openSettings(page)
  const loaded = page.waitForEvent('load')
  await press(page, settings.getByRole('button', { name: 'Sign out' }))
  await loaded
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}

test(
  'keys alone: sign up, save preferences, rename, stay signed in after a reload, sign out',
  visit(async page => {
    await openFirstVisit(page)
    const email = newEmail()
    const dialog = await openDialog(page, 'Sign up')
    await type(page, dialog.getByLabel('Username'), 'KeysAlone')
    await dialog.getByText('Username available', { exact: true }).waitFor()
    await type(page, dialog.getByLabel('Email'), email)
    await type(page, dialog.getByLabel('Password', { exact: true }), goodPassword)
    await type(page, dialog.getByLabel('Confirm Password', { exact: true }), goodPassword)
    await tabTo(page, dialog.getByRole('checkbox'))
    await page.keyboard.press('Space')
    await press(page, dialog.getByRole('button', { name: 'Create account' }))
    await settingsButton(page, 'Settings of KeysAlone').waitFor()

    const settings = await openSettings(page)
    await settings.getByText(email, { exact: true }).waitFor()
    await tabTo(page, settings.getByLabel('Product Waitlist'))
    await page.keyboard.press('Space')
    await press(page, settings.getByRole('button', { name: 'Save Preferences' }))
    await toast(page, 'Preferences saved successfully!')
    await press(page, settings.getByRole('button', { name: 'Edit username' }), 'Shift+Tab')
    const rename = page.getByRole('dialog', { name: 'Update username' })
    await type(page, rename.getByLabel('Username'), 'LateBraker')
    await rename.getByText('Username available', { exact: true }).waitFor()
    await press(page, rename.getByRole('button', { name: 'Update Username' }))
    await toast(page, 'Username updated successfully!')
    await rename.waitFor({ state: 'detached' })

    await page.reload()
    await settingsButton(page, 'Settings of LateBraker').waitFor()
    const again = await openSettings(page)
    await again.getByText(/^Number \d+ on the waitlist/).waitFor()
    assert.equal(await again.getByLabel('Product Waitlist').isChecked(), true)
    await page.keyboard.press('Escape')
    await again.waitFor({ state: 'detached' })
    await signOut(page)
  }),
)

test(
  'keys alone: ask for a new password, set it by the link of the mail, sign out, and sign in with it',
  visit(async page => {
    await openFirstVisit(page)
    const { email } = await aDriver(page)
    const dialog = await openDialog(page, 'Log in')
    await press(page, dialog.getByRole('button', { name: 'Forgot Password' }))
    // The field already has the focus.
    await page.keyboard.type(email)
    await press(page, dialog.getByRole('button', { name: 'Send reset link' }))
    await toast(page, 'Reset link sent. Check your inbox.')
    await press(page, dialog.getByRole('button', { name: 'Back to sign in' }))
    assert.equal(await dialog.getByLabel('Email').inputValue(), email)

    await page.goto(linkIn(await mailTo(mailboxUrl(), email)).href)
    const password = 'a dry line appears at last'
    await type(page, page.getByLabel('New Password', { exact: true }), password)
    await type(page, page.getByLabel('Confirm Password', { exact: true }), password)
    await press(page, page.getByRole('button', { name: 'Set New Password' }))
    await page.getByText('Password updated successfully! You are now signed in.', { exact: true }).waitFor()
    await settingsButton(page).waitFor()
    await signOut(page)

    const login = await openDialog(page, 'Log in')
    await type(page, login.getByLabel('Email'), email)
    await type(page, login.getByLabel('Password', { exact: true }), password)
    await page.keyboard.press('Enter')
    await settingsButton(page).waitFor()
  }),
)

for (const provider of ['Google', 'Discord'] as const) {
  test(
    `keys alone: sign in with Local ${provider}, change the given name in the header, delete the account`,
    visit(
      async page => {
        await openFirstVisit(page)
        await page.clock.install()
        const dialog = await openDialog(page, 'Log in')
        await press(page, dialog.getByRole('button', { name: `Continue with ${provider}` }))
        await page.getByRole('heading', { name: `Local ${provider}` }).waitFor()
        const { release } = await hold(page, /\/oauth\/authenticate$/)
        await type(page, page.getByLabel('Email'), newEmail())
        await page.keyboard.press('Enter')
        await page.getByText('Finishing sign-in…', { exact: true }).waitFor()
        // The page goes home by itself after a second; pressing Tab may take longer.
        await stopClock(page)
        release()
        await press(page, page.getByRole('button', { name: 'Go to Home' }))
        await page.clock.resume()

        const name = `By${provider}`
        const field = page.getByRole('navigation').getByRole('textbox', { name: 'Username' })
        await type(page, field, name)
        await page.getByText('Username available', { exact: true }).waitFor()
        await page.keyboard.press('Enter')
        await settingsButton(page, `Settings of ${name}`).waitFor()

        const settings = await openSettings(page)
        await press(page, settings.getByRole('button', { name: 'Delete account' }))
        const confirm = page.getByRole('dialog', { name: 'Delete account' })
        await type(page, confirm.getByRole('textbox'), name)
        await press(page, confirm.getByRole('button', { name: 'Delete account' }))
        const loaded = page.waitForEvent('load')
        await press(page, confirm.getByRole('button', { name: 'Delete everything' }))
        await loaded
        await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      },
      // The account may be deleted before the page can end its session.
      { expected: [/Failed to load resource/, /^answer: 404 to POST .*\/sdk\/v1\/sessions\/revoke$/] },
    ),
  )
}
