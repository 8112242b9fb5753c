import {
  actFor,
  aDriver,
  aDriverWhoComesBack,
  agreeAt,
  openDialog,
  openSettings,
  proveAddress,
  signIn,
  signOut,
  untilSignedIn,
} from './accounts.ts'
import { type Screens, testInBothThemes } from './axe-in-both-themes.ts'
import { addBrowserWallets } from './browser-wallets.ts'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, openSample, screen } from './screen.ts'
import {
  addApp,
  addVirtualAuthenticator,
  ageSignIns,
  openSecurity,
  openSecurityDialog,
  signInHalf,
} from './second-factors.ts'

const accounts = lapwing({ reach: 'accounts', ownAddresses: true })

/** Every screen and state, with the steps that open it. */
const screens: Screens = {
  'first visit': page => openFirstVisit(page),
  'a refused file': async page => {
    await openFirstVisit(page)
    await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(8) })
    await screen.alert(page).waitFor()
  },
  'a session': openSample,
  'a session with partial laps': async page => {
    await openSample(page)
    await screen.validLapsOnly(page).click()
  },
  'the open list of laps': async page => {
    await openSample(page)
    await screen.selectedLap(page).click()
    await page.getByRole('option').first().waitFor()
  },
  'units and colours': async page => {
    await openFirstVisit(page)
    await page.getByRole('button', { name: 'Units and colours' }).click()
    await page.getByText('Temperature').waitFor()
  },
  'the sign-in dialog': async page => {
    await openFirstVisit(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').waitFor()
  },
  'signing up with what is wrong': async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Sign up')
    await dialog.getByLabel('Username').fill('1apex')
    await dialog.getByLabel('Password', { exact: true }).fill('abcd')
    await dialog.getByLabel('Confirm Password', { exact: true }).fill('abc')
    await dialog.getByText('are easy to guess').waitFor()
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByRole('alert').waitFor()
  },
  'logging in': async page => {
    await openFirstVisit(page)
    await openDialog(page, 'Log in')
  },
  'a forgotten password': async page => {
    await openFirstVisit(page)
    await (await openDialog(page, 'Log in')).getByRole('button', { name: 'Forgot Password' }).click()
  },
  'the settings': async page => {
    await aDriverWhoComesBack(page)
    await openFirstVisit(page)
    await untilSignedIn(page)
    const settings = await openSettings(page)
    await settings.getByLabel('Product Waitlist').check()
    await settings.getByRole('button', { name: 'Save Preferences' }).click()
    await settings.getByText('on the waitlist.').waitFor()
  },
  'an authenticator app that is being set up': async page => {
    await aDriverWhoComesBack(page)
    await openFirstVisit(page)
    const dialog = await openSecurity(page)
    await dialog.getByRole('button', { name: 'Set up authenticator app' }).click()
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
  },
  'recovery codes, and a passkey about to be removed': async page => {
    await aDriverWhoComesBack(page)
    await openFirstVisit(page)
    await addVirtualAuthenticator(page.context(), page)
    const dialog = await openSecurity(page)
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByRole('button', { name: 'Remove Passkey 1' }).click()
    await addApp(dialog)
  },
  'a phone number that gets no codes': async page => {
    await openFirstVisit(page)
    await proveAddress(page, await signIn(page), accounts.mailboxUrl())
    const dialog = await openSecurity(page)
    await dialog.getByRole('button', { name: 'Add a phone number' }).click()
    await dialog.getByLabel('Phone number', { exact: true }).fill('+7 916 123 45 67')
    await dialog.getByRole('button', { name: 'Send a code by text' }).click()
    await dialog.getByRole('alert').waitFor()
  },
  'two wallets, one about to be removed': async page => {
    const { metamask, phantom } = await addBrowserWallets(page.context())
    await openFirstVisit(page)
    await proveAddress(page, await signIn(page), accounts.mailboxUrl())
    const dialog = await openSecurity(page)
    for (const [name, { address }] of [
      ['Add Metamask', metamask],
      ['Add Phantom', phantom],
    ] as const) {
      await dialog.getByRole('button', { name }).click()
      await dialog.getByTitle(address, { exact: true }).waitFor()
    }
    await dialog.getByRole('button', { name: /^Remove 0x/ }).click()
  },
  'a social account, about to be removed': async page => {
    await openFirstVisit(page)
    const driver = await signIn(page)
    await proveAddress(page, driver, accounts.mailboxUrl())
    await (await openSecurity(page)).getByRole('button', { name: 'Add Google' }).click()
    await agreeAt(page, 'Google', driver.email)
    await page.waitForURL(url => url.pathname === '/')
    await (await openSecurity(page)).getByRole('button', { name: 'Remove Google' }).click()
  },
  'the note of an operator who acts for a driver': async page => {
    await openFirstVisit(page)
    await actFor(page, await aDriver(page), accounts.identityDatabaseUrl())
    await page.waitForURL(url => url.pathname === '/')
    await page.getByRole('complementary', { name: 'Acting for a driver' }).waitFor()
  },
  'the second step of a sign-in': async page => {
    const driver = await aDriverWhoComesBack(page)
    await openFirstVisit(page)
    await addApp(await openSecurity(page))
    await page.keyboard.press('Escape')
    await signOut(page)
    await signInHalf(page, driver)
  },
  'changing the username': async page => {
    await aDriverWhoComesBack(page)
    await openFirstVisit(page)
    await untilSignedIn(page)
    await (await openSettings(page)).getByRole('button', { name: 'Edit username' }).click()
    await page.getByRole('dialog', { name: 'Update username' }).waitFor()
  },
  'deleting the account': async page => {
    await aDriverWhoComesBack(page)
    await openFirstVisit(page)
    await untilSignedIn(page)
    await (await openSettings(page)).getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog', { name: 'Delete account' }).waitFor()
  },
  'a new password': async page => {
    await page.goto('/reset')
    await page.getByRole('alert').waitFor()
  },
  'a sign-in that failed': async page => {
    await page.goto('/authenticate')
    await page.getByRole('alert').waitFor()
  },
  'the terms': async page => {
    await page.goto('/terms')
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  'the privacy policy': async page => {
    await page.goto('/privacy')
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
}

testInBothThemes(screens, accounts)

/** Screens after a refusal, which the browser logs. */
const refusedScreens: Screens = {
  'the question of a driver whose sign-in is too old': async page => {
    const { session } = await aDriverWhoComesBack(page)
    await openFirstVisit(page)
    await untilSignedIn(page)
    await ageSignIns(accounts.identityDatabaseUrl(), session.user_id)
    const dialog = await openSecurityDialog(page)
    await dialog.getByLabel('Password', { exact: true }).waitFor()
  },
}

testInBothThemes(refusedScreens, accounts, {
  expected: [/Failed to load resource/, /^answer: 401 to GET .*\/users\/sessions/],
})
