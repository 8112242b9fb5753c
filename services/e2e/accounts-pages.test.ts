import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { driver, openDialog, openSettings, signIn, withAccounts } from './accounts.ts'
import { fakeAccounts } from './fake-accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'

const { visit } = lapwing()
/** What the browser itself logs of answers that a test asks for. */
const refused = [
  /Failed to load resource/,
  /^answer: [45]\d\d to (GET|POST|DELETE) .*\/(sdk|api)\//,
  /^request: /,
]

const said = (page: Page, sentence: string) =>
  page.getByRole('alert').getByText(sentence, { exact: true }).waitFor()

test(
  '/reset without a token says so, and asks for the link',
  visit(async page => {
    await fakeAccounts(page)
    await page.goto('/reset')
    await said(page, 'Missing token in URL. Please use the link from your email.')
    await page.getByRole('button', { name: 'Set New Password' }).click()
    await said(page, 'Missing token.')
    await page.getByRole('link', { name: 'Back to home' }).click()
    await screen.chooseFile(page).waitFor()
    assert.equal(new URL(page.url()).pathname, '/')
  }),
)

test(
  '/reset checks the new password, sets it, signs in, and goes home 2 s later',
  visit(
    async page => {
      const accounts = await fakeAccounts(page)
      const { identity } = accounts
      identity.addUser(driver)
      const token = identity.giveToken('reset', driver.email)
      await page.clock.install()
      await page.goto(`/reset?stytch_token_type=reset_password&token=${token}`)
      const fresh = page.getByLabel('New Password', { exact: true })
      const again = page.getByLabel('Confirm Password', { exact: true })
      await fresh.fill('1234567')
      await again.fill('1234567')
      await page.keyboard.press('Enter')
      await said(page, 'Password must be at least 8 characters.')
      await fresh.fill('a new password')
      await page.getByRole('button', { name: 'Set New Password' }).click()
      await said(page, 'Passwords do not match.')
      await again.fill('a new password')

      identity.failNext('/passwords/email/reset', { status: 500, type: 'internal_server_error', message: '' })
      await page.keyboard.press('Enter')
      await said(page, 'Reset failed. Please try again.')

      for (const name of ['New Password', 'Confirm Password']) {
        await page.getByRole('button', { name: `Show ${name}` }).click()
        assert.equal(await page.getByLabel(name, { exact: true }).getAttribute('type'), 'text')
      }
      const hold = accounts.hold()
      await page.getByRole('button', { name: 'Set New Password' }).click()
      assert.equal(await page.getByRole('button', { name: 'Updating...', exact: true }).isDisabled(), true)
      hold.release()
      await page.getByText('Password updated successfully! You are now signed in.', { exact: true }).waitFor()
      await page.clock.fastForward(2000)
      await page.getByRole('button', { name: /^Settings of/ }).waitFor()
      assert.equal(new URL(page.url()).pathname, '/')
    },
    { expected: refused },
  ),
)

test(
  '/reset with a spent link says what the provider says',
  visit(
    async page => {
      await fakeAccounts(page)
      await page.goto('/reset?token=spent')
      await page.getByLabel('New Password', { exact: true }).fill('a new password')
      await page.getByLabel('Confirm Password', { exact: true }).fill('a new password')
      await page.keyboard.press('Enter')
      await said(page, 'The reset link was already used or has expired.')
    },
    { expected: refused },
  ),
)

for (const [query, sentence] of [
  ['error=access_denied', 'Sign-in was canceled. You can try again.'],
  ['error_type=user_cancelled', 'Sign-in was canceled. You can try again.'],
  ['error=server_error&message=The provider broke.', 'The provider broke.'],
  ['error=server_error', 'Authentication could not be completed.'],
  ['stytch_token_type=magic_links&token=t', 'Invalid or expired authentication link. Please try again.'],
  ['', 'Invalid or expired authentication link. Please try again.'],
  ['stytch_token_type=oauth&token=spent', 'This sign-in link has expired or is invalid. Please try again.'],
] as const) {
  test(
    `/authenticate?${query}: ${sentence}`,
    visit(
      async page => {
        await fakeAccounts(page)
        await page.goto(`/authenticate?${query}`)
        await page.getByText(sentence, { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Back to Home' }).click()
        await screen.chooseFile(page).waitFor()
        assert.equal(new URL(page.url()).pathname, '/')
        assert.equal(await page.getByRole('button', { name: 'Sign in', exact: true }).isVisible(), true)
      },
      { expected: refused },
    ),
  )
}

for (const [name, compare, hash] of [
  ['home', false, ''],
  ['to compare mode where that was wanted', true, '#compare=1'],
] as const) {
  test(
    `/authenticate signs in, welcomes, and leads ${name} after a second`,
    visit(async page => {
      const accounts = await fakeAccounts(page)
      if (compare) await page.addInitScript(() => localStorage.setItem('lapwing.enable-compare', '1'))
      const token = accounts.identity.giveToken('oauth', driver.email)
      const hold = accounts.hold()
      await page.goto(`/authenticate?stytch_token_type=oauth&token=${token}`)
      await page.getByText('Finishing sign-in…', { exact: true }).waitFor()
      const arrived = page.waitForURL(url => url.pathname === '/' && url.hash === hash)
      hold.release()
      await page.getByRole('button', { name: 'Go to Home' }).waitFor()
      await screen.toast(page).getByText('Welcome to Lapwing!', { exact: true }).waitFor()
      await arrived
      await page.getByRole('button', { name: /^Settings of/ }).waitFor()
      assert.equal(accounts.identity.calls.filter(({ path }) => path === '/oauth/authenticate').length, 1)
      assert.equal(await page.evaluate(() => localStorage.getItem('lapwing.auth-tab')), 'login')
    }),
  )
}

test(
  'Go to Home does not wait for the second',
  visit(async page => {
    const { identity } = await fakeAccounts(page)
    await page.clock.install()
    await page.goto(
      `/authenticate?stytch_token_type=oauth&token=${identity.giveToken('oauth', driver.email)}`,
    )
    await page.getByRole('button', { name: 'Go to Home' }).click()
    await screen.chooseFile(page).waitFor()
  }),
)

test(
  'the settings show who is signed in, and keep which mails they want',
  visit(
    async page => {
      const accounts = await withAccounts(page)
      await signIn(page, accounts)
      const settings = await openSettings(page)
      await settings.getByText(driver.email, { exact: true }).waitFor()
      const waitlist = settings.getByLabel('Product Waitlist')
      const marketing = settings.getByLabel('Marketing Updates')
      assert.deepEqual([await waitlist.isChecked(), await marketing.isChecked()], [false, false])
      await waitlist.check()
      const save = settings.getByRole('button', { name: 'Save Preferences' })

      accounts.account.answerNext(new Response('', { status: 500 }))
      await save.click()
      await screen.toast(page).getByText('Failed to save preferences', { exact: true }).waitFor()
      accounts.account.answerNext({ network: true })
      await save.click()
      await screen.toast(page).getByText('Error saving preferences', { exact: true }).waitFor()
      await save.click()
      await screen.toast(page).getByText('Preferences saved successfully!', { exact: true }).waitFor()
      assert.deepEqual(accounts.account.calls.at(-1)?.body, { waitlist: true, marketing: false })
      await settings.getByText('Number 42 on the waitlist.').waitFor()
      await page.reload()
      assert.equal(await (await openSettings(page)).getByLabel('Product Waitlist').isChecked(), true)
    },
    { expected: refused },
  ),
)

test(
  'preferences come from the account where the service cannot say',
  visit(
    async page => {
      const accounts = await withAccounts(page)
      accounts.identity.addUser({ ...driver, trustedMetadata: { consent: { marketing: true } } })
      await page.route('**/api/v1/auth/consent', route => route.fulfill({ status: 503, body: '' }))
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await dialog.getByRole('tab', { name: 'Log in' }).click()
      await dialog.getByLabel('Email').fill(driver.email)
      await dialog.getByLabel('Password', { exact: true }).fill(driver.password)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      const settings = await openSettings(page)
      assert.equal(await settings.getByLabel('Marketing Updates').isChecked(), true)
      assert.equal(await settings.getByLabel('Product Waitlist').isChecked(), false)
    },
    { expected: refused },
  ),
)

test(
  'a given username can be changed in the header until it was',
  visit(
    async page => {
      const accounts = await withAccounts(page)
      await signIn(page, accounts)
      const field = page.getByRole('navigation').getByRole('textbox', { name: 'Username' })
      const save = page.getByRole('navigation').getByRole('button', { name: 'Update Username' })
      assert.match(await field.inputValue(), /^user[a-z0-9]{7}$/i)
      await field.fill('')
      await page.getByText('Username is required', { exact: true }).waitFor()
      assert.equal(await save.isDisabled(), true)
      await field.press('Enter')
      await screen.toast(page).getByText('Please enter a username', { exact: true }).waitFor()

      await field.fill('apexhunter')
      await page.getByText('Username available', { exact: true }).waitFor()
      accounts.account.answerNext({ network: true })
      await save.click()
      await screen
        .toast(page)
        .getByText('Failed to update username. Please try again.', { exact: true })
        .waitFor()
      accounts.account.answerNext(new Response('', { status: 500 }))
      await save.click()
      await screen.toast(page).getByText('Failed to update username', { exact: true }).waitFor()
      await save.click()
      await screen.toast(page).getByText('Username updated successfully!', { exact: true }).waitFor()
      await field.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Settings of apexhunter' }).waitFor()
    },
    { expected: refused },
  ),
)

test(
  'the username is edited from the settings, with the rules and the busy label',
  visit(async page => {
    const accounts = await withAccounts(page)
    await signIn(page, accounts)
    await (await openSettings(page)).getByRole('button', { name: 'Edit username' }).click()
    const dialog = page.getByRole('dialog', { name: 'Update username' })
    await dialog.getByLabel('Username').fill('1apex')
    await dialog.getByText('Username must start with a letter', { exact: true }).waitFor()
    const save = dialog.getByRole('button', { name: 'Update Username' })
    assert.equal(await save.isDisabled(), true)
    await dialog.getByLabel('Username').fill('apexhunter')
    await dialog.getByText('Username available', { exact: true }).waitFor()
    const hold = accounts.hold()
    await save.click()
    assert.equal(await dialog.getByRole('button', { name: 'Updating...', exact: true }).isDisabled(), true)
    hold.release()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Settings of apexhunter' }).waitFor()
  }),
)

test(
  'signing out says so and starts the page over; where it fails the person stays',
  visit(
    async page => {
      const accounts = await withAccounts(page)
      await signIn(page, accounts)
      const settings = await openSettings(page)
      accounts.identity.failNext('/sessions/revoke', { network: true })
      await settings.getByRole('button', { name: 'Sign out' }).click()
      await screen.toast(page).getByText('Sign out failed.', { exact: true }).waitFor()
      await settings.getByText(driver.email, { exact: true }).waitFor()
      const reloaded = page.waitForEvent('load')
      await settings.getByRole('button', { name: 'Sign out' }).click()
      await screen.toast(page).getByText('Signed out', { exact: true }).waitFor()
      await reloaded
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      assert.deepEqual(await page.context().cookies(), [])
      assert.equal(await page.evaluate(() => sessionStorage.length), 0)
    },
    { expected: refused },
  ),
)

test(
  'a reload stays signed in, and another tab is signed in and out with this one',
  visit(async page => {
    const accounts = await withAccounts(page)
    await signIn(page, accounts)
    await page.reload()
    await page.getByRole('button', { name: /^Settings of/ }).waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: /^Settings of/ }).waitFor()
    await (await openSettings(page)).getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  }),
)

test(
  'the dialog of one tab closes where another tab signs in',
  visit(async page => {
    const accounts = await withAccounts(page)
    const dialog = await openDialog(page, 'Log in')
    const other = await page.context().newPage()
    await openFirstVisit(other, page.url())
    await signIn(other, accounts)
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Settings of/ }).waitFor()
  }),
)

test(
  'a session that the server refuses for good opens the dialog again and says why',
  visit(
    async page => {
      const accounts = await withAccounts(page)
      await signIn(page, accounts)
      accounts.identity.endSessions()
      // The settings ask for the preferences when they open.
      await page.getByRole('button', { name: /^Settings of/ }).click()
      await screen
        .toast(page)
        .getByText('Your session has expired. Please sign in again.', { exact: true })
        .waitFor()
      await page.getByRole('dialog').getByRole('tab', { name: 'Log in' }).waitFor()
      assert.deepEqual(await page.context().cookies(), [])
    },
    { expected: refused },
  ),
)

test(
  'a session is renewed in the background every three minutes',
  visit(async page => {
    await page.clock.install()
    const accounts = await withAccounts(page)
    await signIn(page, accounts)
    const renewals = () =>
      accounts.identity.calls.filter(({ path }) => path === '/sessions/authenticate').length
    assert.equal(renewals(), 0)
    const answered = page.waitForResponse('**/sdk/v1/sessions/authenticate')
    await page.clock.fastForward(180_000)
    await answered
    assert.equal(renewals(), 1)
  }),
)

test(
  'an account is deleted after two questions',
  visit(async page => {
    const accounts = await withAccounts(page)
    await signIn(page, accounts)
    await (await openSettings(page)).getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    const ask = dialog.getByRole('button', { name: 'Delete account' })
    assert.equal(await ask.isDisabled(), true)
    const [username = ''] = accounts.account.usernames.values()
    await dialog.getByLabel(`Type ${username} to go on`).fill(username)
    await ask.click()
    await dialog.getByText(`Delete ${username} for good?`, { exact: true }).waitFor()
    assert.equal(
      accounts.account.calls.some(({ method }) => method === 'DELETE'),
      false,
    )
    await dialog.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    assert.deepEqual(accounts.account.calls.find(({ method }) => method === 'DELETE')?.body, { username })
  }),
)
