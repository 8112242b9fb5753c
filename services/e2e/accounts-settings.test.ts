import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  aDriver,
  callsTo,
  type Driver,
  endSession,
  hold,
  openDialog,
  openSettings,
  openSignedIn,
  refuseNextWithoutWords,
  sessionCookies,
  signIn,
  signOut,
  untilSignedIn,
} from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'

/** Actions of a signed-in driver, with the real services. */
const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })
/** Errors that the browser logs for answers that a test causes. */
const refused = [
  /Failed to load resource/,
  /^answer: [45]\d\d to (GET|POST|DELETE) .*\/(sdk|api)\//,
  /^request: /,
]
/** The account may be deleted before the page can end its session. */
const sessionGone = [/Failed to load resource/, /^answer: 404 to POST .*\/sdk\/v1\/sessions\/revoke$/]

const toast = (page: Page, sentence: string) =>
  screen.toast(page).getByText(sentence, { exact: true }).waitFor()
/** Waits for the focus: a control that was disabled, or a dialog that closes, returns it a moment later. */
const getsFocus = (locator: Locator) => locator.and(locator.page().locator(':focus')).waitFor()

/** Records what gets the focus. The returned function reads its titles or labels after all due timers. */
async function watchFocus(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { focused: seen })
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLInputElement) seen.push(target.labels?.[0]?.textContent ?? '')
      else if (target instanceof HTMLElement) seen.push(target.title)
    })
  })
  return () =>
    page.evaluate(
      () =>
        new Promise<string[]>(resolve =>
          // Timers without a delay run in the order of their creation.
          setTimeout(() => resolve((window as unknown as { readonly focused: string[] }).focused)),
        ),
    )
}

/** Waits for a toast that is shown only 300 ms before a reload. The check runs in the page, at every frame. */
const briefToast = (page: Page, sentence: string) =>
  page.waitForFunction(
    sentence =>
      [...document.querySelectorAll('[data-sonner-toast]')].some(toast => toast.textContent === sentence),
    sentence,
  )

/** Address of the reloaded page. While a test holds it, the old page can still be read. */
const startOver = /^http:\/\/localhost:\d+\/$/

/** Creates a driver, who signs in on the first visit. */
async function openAndSignIn(page: Page): Promise<Driver> {
  await openFirstVisit(page)
  return signIn(page)
}

test(
  'shows the signed-in person in the settings, and stores which mails they want',
  visit(
    async page => {
      const driver = await openSignedIn(page)
      const settings = await openSettings(page)
      await settings.getByText(driver.email, { exact: true }).waitFor()
      const waitlist = settings.getByLabel('Product Waitlist')
      const marketing = settings.getByLabel('Marketing Updates')
      assert.deepEqual([await waitlist.isChecked(), await marketing.isChecked()], [false, false])
      await waitlist.check()
      const save = settings.getByRole('button', { name: 'Save Preferences' })

      await page.context().setOffline(true)
      await save.click()
      await toast(page, 'Error saving preferences')
      await page.context().setOffline(false)

      const { release } = await hold(page, /\/auth\/consent$/)
      await save.click()
      const saving = settings.getByRole('button', { name: 'Saving...', exact: true })
      assert.equal(await saving.isDisabled(), true)
      await getsFocus(saving)
      release()
      await toast(page, 'Preferences saved successfully!')
      await getsFocus(save)
      await settings.getByText(/^Number \d+ on the waitlist\./).waitFor()

      await page.reload()
      const again = await openSettings(page)
      assert.equal(await again.getByLabel('Product Waitlist').isChecked(), true)

      // Exceeds the limit per minute, which the server rejects.
      const headers = { authorization: `Bearer ${driver.jwt}` }
      const data = { waitlist: true, marketing: false }
      const post = () => page.request.post('/api/v1/auth/consent', { headers, data })
      for (let tries = 0; (await post()).status() !== 429; tries++) assert.ok(tries < 100)
      await again.getByRole('button', { name: 'Save Preferences' }).click()
      await toast(page, 'Failed to save preferences')
    },
    { expected: refused },
  ),
)

test(
  'reads preferences from the account if the service cannot answer',
  visit(
    async page => {
      const driver = await openSignedIn(page)
      const settings = await openSettings(page)
      await settings.getByLabel('Marketing Updates').check()
      await settings.getByRole('button', { name: 'Save Preferences' }).click()
      await toast(page, 'Preferences saved successfully!')
      await page.keyboard.press('Escape')
      await signOut(page)

      await page.evaluate(() => localStorage.clear())
      await page.route(/\/auth\/consent$/, route => route.abort())
      await page.reload()
      await signIn(page, driver)
      const again = await openSettings(page)
      assert.equal(await again.getByLabel('Marketing Updates').isChecked(), true)
      assert.equal(await again.getByLabel('Product Waitlist').isChecked(), false)
    },
    { expected: refused },
  ),
)

test(
  'asks the service for preferences again after five minutes, and not before',
  visit(async page => {
    await page.clock.install()
    const asked = callsTo(page, /\/auth\/consent$/)
    await openSignedIn(page)
    /** Opens the settings, and closes them once they show preferences. */
    const look = async () => {
      const settings = await openSettings(page)
      await settings.getByLabel('Product Waitlist').waitFor()
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'detached' })
    }
    const first = page.waitForResponse('**/auth/consent')
    await look()
    await first
    await page.clock.fastForward(4 * 60_000)
    await look()
    assert.equal(asked.length, 1)
    const second = page.waitForResponse('**/auth/consent')
    await page.clock.fastForward(60_000)
    await look()
    await second
    assert.equal(asked.length, 2)
  }),
)

test(
  'offers to change a default username in the header until it is changed',
  visit(
    async page => {
      await openSignedIn(page)
      await aDriver(page, { username: 'hairpin' })
      const field = page.getByRole('navigation').getByRole('textbox', { name: 'Username' })
      const save = page.getByRole('navigation').getByRole('button', { name: 'Update Username' })
      assert.match(await field.inputValue(), /^user[a-z0-9]{7}$/i)
      await field.fill('')
      await page.getByText('Username is required', { exact: true }).waitFor()
      assert.equal(await save.isDisabled(), true)
      await field.press('Enter')
      await toast(page, 'Please enter a username')
      await field.fill('HairPin')
      await page.getByText('Username is already taken', { exact: true }).waitFor()
      assert.equal(await save.isDisabled(), true)

      await field.fill('chicane')
      await page.getByText('Username available', { exact: true }).waitFor()
      await page.context().setOffline(true)
      await save.click()
      await toast(page, 'Failed to update username. Please try again.')
      await page.context().setOffline(false)
      // The page may only now ask for the name that it could not read without the network.
      await refuseNextWithoutWords(page, /\/auth\/username$/, 'POST')
      await save.click()
      await toast(page, 'Failed to update username')
      await save.click()
      await toast(page, 'Username updated successfully!')
      await field.waitFor({ state: 'detached' })
      const settings = page.getByRole('button', { name: 'Settings of chicane' })
      await settings.waitFor()
      await getsFocus(settings)
      await page.reload()
      await settings.waitFor()
      assert.equal(await field.count(), 0)
    },
    { expected: refused },
  ),
)

test(
  'refuses a name that was taken at the last moment in the server’s words',
  visit(
    async page => {
      await openSignedIn(page)
      const field = page.getByRole('navigation').getByRole('textbox', { name: 'Username' })
      await field.fill('esses')
      await page.getByText('Username available', { exact: true }).waitFor()
      await aDriver(page, { username: 'Esses' })
      await field.press('Enter')
      await toast(page, 'Username is already taken')
    },
    { expected: refused },
  ),
)

test(
  'edits the username in the settings, with the rules and the busy label',
  visit(async page => {
    await openSignedIn(page)
    const settings = await openSettings(page)
    const focused = await watchFocus(page)
    await settings.getByRole('button', { name: 'Edit username' }).click()
    const dialog = page.getByRole('dialog', { name: 'Update username' })
    await getsFocus(dialog.getByLabel('Username'))
    await settings.waitFor({ state: 'detached' })
    assert.deepEqual((await focused()).slice(-2), ['Settings', 'Username'])
    await dialog.getByLabel('Username').fill('1apex')
    await dialog.getByText('Username must start with a letter', { exact: true }).waitFor()
    const save = dialog.getByRole('button', { name: 'Update Username' })
    assert.equal(await save.isDisabled(), true)
    await dialog.getByLabel('Username').fill('carousel')
    await dialog.getByText('Username available', { exact: true }).waitFor()
    const { release } = await hold(page, /\/auth\/username$/)
    await save.click()
    assert.equal(await dialog.getByRole('button', { name: 'Updating...', exact: true }).isDisabled(), true)
    release()
    await dialog.waitFor({ state: 'detached' })
    await getsFocus(page.getByRole('button', { name: 'Settings of carousel' }))
    await page.reload()
    await page.getByRole('button', { name: 'Settings of carousel' }).waitFor()
  }),
)

test(
  'fetches a name again after a failure',
  visit(
    async page => {
      await openSignedIn(page)
      await refuseNextWithoutWords(page, /\/auth\/username$/)
      await page.reload()
      await page.getByRole('button', { name: 'Settings', exact: true }).waitFor()
      await untilSignedIn(page)
    },
    { expected: refused },
  ),
)

test(
  'confirms a sign-out and reloads the page; stays signed in if it fails',
  visit(
    async page => {
      const driver = await openAndSignIn(page)
      const settings = await openSettings(page)
      await page.context().setOffline(true)
      const button = settings.getByRole('button', { name: 'Sign out' })
      await button.click()
      await toast(page, 'Sign out failed.')
      await getsFocus(button)
      await settings.getByText(driver.email, { exact: true }).waitFor()
      await page.context().setOffline(false)
      const { release } = await hold(page, startOver)
      const reloaded = page.waitForEvent('load')
      const told = briefToast(page, 'Signed out')
      await button.click()
      await told
      release()
      await reloaded
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      assert.deepEqual(await sessionCookies(page), [])
      assert.equal(await page.evaluate(() => sessionStorage.length), 0)
    },
    { expected: refused },
  ),
)

test(
  'stays signed in after a reload, and signs another tab in and out too',
  visit(async page => {
    await openSignedIn(page)
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
  'closes the dialog when another tab signs in',
  visit(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Log in')
    const other = await page.context().newPage()
    await openFirstVisit(other, page.url())
    await signIn(other)
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Settings of/ }).waitFor()
  }),
)

test(
  'opens the dialog and says why if the session was ended elsewhere',
  visit(
    async page => {
      await openSignedIn(page)
      await endSession(page)
      // Opening the settings fetches the preferences.
      await page.getByRole('button', { name: /^Settings of/ }).click()
      await toast(page, 'Your session has expired. Please sign in again.')
      await page.getByRole('dialog').getByRole('tab', { name: 'Log in', selected: true }).waitFor()
      assert.deepEqual(await sessionCookies(page), [])
    },
    { expected: refused },
  ),
)

test(
  'renews a session in the background every three minutes',
  visit(async page => {
    await page.clock.install()
    const renewals = callsTo(page, /\/sessions\/authenticate$/)
    await openAndSignIn(page)
    assert.equal(renewals.length, 0)
    const remembered = () => page.evaluate(() => localStorage.getItem('lapwing.session'))
    for (const expected of [1, 2]) {
      const before = await remembered()
      const answered = page.waitForResponse('**/sdk/v1/sessions/authenticate')
      await page.clock.fastForward(180_000)
      assert.equal((await answered).status(), 200)
      assert.equal(renewals.length, expected)
      // The next interval begins when the page has stored the answer.
      await page.waitForFunction(before => localStorage.getItem('lapwing.session') !== before, before)
    }
  }),
)

test(
  'keeps the session and the next sign-in if the machine’s clock jumps an hour ahead',
  visit(async page => {
    await page.clock.install()
    const driver = await openAndSignIn(page)
    await page.clock.fastForward(3_600_000)
    const settings = await openSettings(page)
    await settings.getByLabel('Marketing Updates').check()
    await settings.getByRole('button', { name: 'Save Preferences' }).click()
    await toast(page, 'Preferences saved successfully!')
    await page.keyboard.press('Escape')
    await signOut(page)
    await signIn(page, driver)
    await page.reload()
    await page.getByRole('button', { name: /^Settings of/ }).waitFor()
  }),
)

test(
  'deletes an account after two questions, and refuses its next sign-in',
  visit(
    async page => {
      const driver = await openSignedIn(page)
      const name = /Settings of (\S+)/.exec(
        (await page.getByRole('button', { name: /^Settings of/ }).textContent()) ?? '',
      )![1]!
      const deletions = callsTo(page, /\/auth\/account$/)
      await (await openSettings(page)).getByRole('button', { name: 'Delete account' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete account' })
      const ask = dialog.getByRole('button', { name: 'Delete account' })
      assert.equal(await ask.isDisabled(), true)
      await dialog.getByLabel(`Type ${name} to go on`).fill(name)
      await ask.click()
      await dialog.getByText(`Delete ${name} for good?`, { exact: true }).waitFor()
      assert.equal(deletions.length, 0)
      const { release } = await hold(page, startOver)
      const reloaded = page.waitForEvent('load')
      const told = briefToast(page, 'Account deleted')
      await dialog.getByRole('button', { name: 'Delete everything' }).click()
      await told
      release()
      await reloaded
      assert.equal(deletions.length, 1)

      const login = await openDialog(page, 'Log in')
      await login.getByLabel('Email').fill(driver.email)
      await login.getByLabel('Password', { exact: true }).fill(driver.password)
      await login.getByRole('button', { name: 'Sign in', exact: true }).click()
      await login.getByRole('alert').getByText('Unauthorized credentials.', { exact: true }).waitFor()
    },
    { expected: [...sessionGone, /^answer: 401 to POST .*\/passwords\/authenticate$/] },
  ),
)
