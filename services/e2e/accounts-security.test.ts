import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
import {
  actFor,
  aDriver,
  agreeAt,
  callIdentity,
  newEmail,
  openDialog,
  openSettings,
  proveAddress,
  signIn,
  signOut,
  untilSignedIn,
} from './accounts.ts'
import { addBrowserWallets } from './browser-wallets.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'
import {
  addApp,
  addVirtualAuthenticator,
  ageSignIns,
  openSecurity,
  openSecurityDialog,
  signInHalf,
  totpCode,
} from './second-factors.ts'
import { linkIn, mailTo } from './testing/mails.ts'
import { operatorCommand } from './testing/operator-command.ts'

/** Authenticator apps and passkeys on the page, with the real services and a virtual authenticator. */
const { visit, mailboxUrl, identityDatabaseUrl } = lapwing({ reach: 'accounts', ownAddresses: true })
/** Errors that the browser logs for answers that a test causes. */
const refused = [/Failed to load resource/, /^answer: 4\d\d to (GET|POST|DELETE) .*\/(sdk|api)\//]

/** Returns the number of a mobile phone that no other run of a shared stack uses. */
const newMobile = () => `+49151${randomInt(10_000_000, 100_000_000)}`

const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click()
const toast = (page: Page, sentence: string) =>
  screen.toast(page).getByText(sentence, { exact: true }).waitFor()

test(
  'sets up an authenticator app, asks for it at the next sign-in, and accepts a recovery code once',
  visit(
    async page => {
      await openFirstVisit(page)
      const driver = await signIn(page)
      const dialog = await openSecurity(page)
      await press(dialog, 'Set up authenticator app')
      await dialog.getByLabel('Code that the app shows').fill('12345')
      await press(dialog, 'Confirm')
      await dialog.getByRole('alert').getByText('Enter the six digits of the code').waitFor()
      await press(dialog, 'Cancel')
      const { secret, codes } = await addApp(dialog)
      assert.equal(new Set(codes).size, 10)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await press(dialog, 'Copy')
      await toast(page, 'Recovery codes copied')
      assert.deepEqual((await page.evaluate(() => navigator.clipboard.readText())).split('\n'), codes)
      const saved = page.waitForEvent('download')
      await press(dialog, 'Download')
      const file = readFileSync(await (await saved).path(), 'utf8')
      for (const code of codes) assert.ok(file.includes(code))
      await press(dialog, 'I have saved them')
      await dialog.getByText('On', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await signOut(page)

      const half = await signInHalf(page, driver)
      assert.equal(await page.getByRole('button', { name: /^Settings of/ }).count(), 0)
      await half.getByLabel('Code', { exact: true }).fill(totpCode(secret, 20))
      await press(half, 'Continue')
      await half
        .getByRole('alert')
        .getByText(/^This code is wrong or too old/)
        .waitFor()
      await half.getByLabel('Code', { exact: true }).fill(totpCode(secret, 1))
      await press(half, 'Continue')
      await half.waitFor({ state: 'detached' })
      await untilSignedIn(page)
      await signOut(page)

      const again = await signInHalf(page, driver)
      await press(again, 'Use a recovery code')
      await again.getByLabel('Recovery code').fill(codes[0]!)
      await press(again, 'Continue')
      await untilSignedIn(page)
      await signOut(page)
      const third = await signInHalf(page, driver)
      await press(third, 'Use a recovery code')
      await third.getByLabel('Recovery code').fill(codes[0]!)
      await press(third, 'Continue')
      await third
        .getByRole('alert')
        .getByText(/has already been used/)
        .waitFor()
      await press(third, 'Back to sign in')
      await third.getByLabel('Email').waitFor()
    },
    { expected: refused },
  ),
)

test(
  'confirms the address with a code by mail, so that a reset keeps the app',
  visit(
    async page => {
      await openFirstVisit(page)
      const driver = await signIn(page)
      const dialog = await openSecurity(page)
      await press(dialog, 'Send a code')
      await dialog.getByLabel('Code from the mail').fill('000000')
      await press(dialog, 'Confirm address')
      await dialog.getByRole('alert').getByText('Invalid passcode, please try again.').waitFor()
      const code = /\b\d{6}\b/.exec((await mailTo(mailboxUrl(), driver.email)).text)![0]
      await dialog.getByLabel('Code from the mail').fill(code)
      await press(dialog, 'Confirm address')
      await toast(page, 'Email address confirmed')
      await dialog.getByRole('heading', { name: 'Confirm your email address' }).waitFor({ state: 'detached' })
    },
    { expected: refused },
  ),
)

test(
  'adds a phone number with a code by text, explains numbers that get none, and removes it',
  visit(
    async page => {
      await openFirstVisit(page)
      const driver = await signIn(page)
      await proveAddress(page, driver, mailboxUrl())
      const dialog = await openSecurity(page)
      await press(dialog, 'Add a phone number')
      const field = dialog.getByLabel('Phone number', { exact: true })
      const choose = async (country: string) => {
        await dialog.getByRole('combobox', { name: 'Country' }).click()
        await page.getByRole('option', { name: country }).click()
      }
      await choose('Germany (+49)')
      for (const [typed, sentence] of [
        ['', 'Enter your phone number'],
        ['12', /^This is no phone number of Germany/],
        ['+7 916 123 45 67', 'Lapwing sends no codes to numbers of Russia.'],
        ['030 901820', /^Texts reach mobile phones only/],
      ] as const) {
        await field.fill(typed)
        await press(dialog, 'Send a code by text')
        await dialog.getByRole('alert').getByText(sentence).waitFor()
      }
      const number = newMobile()
      await field.fill(`0${number.slice(3)}`)
      await press(dialog, 'Send a code by text')
      await dialog.getByText(/^A text with a code is on its way to \+49 15\d/).waitFor()
      const code = dialog.getByLabel('Code from the phone')
      await code.fill('000000')
      await press(dialog, 'Add this number')
      await dialog.getByRole('alert').getByText('Invalid passcode, please try again.').waitFor()
      await code.fill(/\b\d{6}\b/.exec((await mailTo(mailboxUrl(), number)).text)![0])
      await press(dialog, 'Add this number')
      await toast(page, 'Phone number added')
      const remove = dialog.getByRole('button', { name: /^Remove \+49 15\d/ })
      await remove.click()
      await press(dialog, 'Keep it')
      await remove.click()
      await press(dialog, 'Remove number')
      await toast(page, 'Phone number removed')
      await remove.waitFor({ state: 'detached' })
    },
    { expected: refused },
  ),
)

test(
  'sends no more texts to a number that answered STOP in the mailbox, until it answers START',
  visit(
    async page => {
      await openFirstVisit(page)
      await proveAddress(page, await signIn(page), mailboxUrl())
      const dialog = await openSecurity(page)
      await press(dialog, 'Add a phone number')
      const number = newMobile()
      const askForCode = async () => {
        await dialog.getByRole('combobox', { name: 'Country' }).click()
        await page.getByRole('option', { name: 'Germany (+49)' }).click()
        await dialog.getByLabel('Phone number', { exact: true }).fill(`0${number.slice(3)}`)
        await press(dialog, 'Send a code by text')
      }
      await askForCode()
      await dialog.getByLabel('Code from the phone').waitFor()
      await mailTo(mailboxUrl(), number)
      const mailbox = await page.context().newPage()
      await mailbox.goto(mailboxUrl())
      await mailbox.getByRole('searchbox').fill(number)
      await mailbox.getByRole('link', { name: number }).click()
      const answer = async (words: string) => {
        await mailbox.getByRole('button', { name: `Answer ${words}` }).click()
        await mailbox.getByRole('status').getByText(`Lapwing received ${words}.`).waitFor()
      }
      await answer('STOP')
      await press(dialog, 'Send another code')
      await askForCode()
      await dialog
        .getByRole('alert')
        .getByText('This phone number has unsubscribed. Text START to subscribe again.')
        .waitFor()
      await answer('START')
      await press(dialog, 'Send a code by text')
      await dialog.getByLabel('Code from the phone').waitFor()
      await mailbox.close()
    },
    { expected: refused },
  ),
)

test(
  'asks for a proved address before a phone number, a social account or a wallet is added',
  visit(async page => {
    await addBrowserWallets(page.context())
    await openFirstVisit(page)
    await signIn(page)
    const dialog = await openSecurity(page)
    await dialog.getByText('Confirm your email address before you add a number.').waitFor()
    await dialog.getByText('Confirm your email address before you add a wallet.').waitFor()
    await dialog.getByText('Confirm your email address before you add an account.').waitFor()
    assert.equal(
      await dialog.getByRole('button', { name: /^Add (a phone number|Google|Metamask)/ }).count(),
      0,
    )
  }),
)

test(
  'forgets a half sign-in at a reload',
  visit(
    async page => {
      await openFirstVisit(page)
      const driver = await signIn(page)
      await addApp(await openSecurity(page))
      await page.keyboard.press('Escape')
      await signOut(page)
      await signInHalf(page, driver)
      await page.reload()
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    },
    { expected: refused },
  ),
)

test(
  'asks for the second factor after a reset link',
  visit(
    async page => {
      await openFirstVisit(page)
      const driver = await signIn(page)
      // Proves the address in the session of its owner, so that the app stays.
      await proveAddress(page, driver, mailboxUrl())
      const { secret } = await addApp(await openSecurity(page))
      await page.keyboard.press('Escape')
      await signOut(page)
      const dialog = await openDialog(page, 'Log in')
      await press(dialog, 'Forgot Password')
      await dialog.getByLabel('Email').fill(driver.email)
      await press(dialog, 'Send reset link')
      await until(
        async () => (await mailTo(mailboxUrl(), driver.email)).subject.startsWith('Reset'),
        'the reset mail arrives',
      )
      await page.goto(linkIn(await mailTo(mailboxUrl(), driver.email)).href)
      await page.getByLabel('New Password', { exact: true }).fill('amber chicane teapot 77')
      await page.getByLabel('Confirm Password', { exact: true }).fill('amber chicane teapot 77')
      await press(page.getByRole('main'), 'Set New Password')
      await page.getByText('Your new password is set.').waitFor()
      await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, 1))
      await press(page.getByRole('main'), 'Continue')
      await page.getByText('Password updated successfully! You are now signed in.').waitFor()
      await untilSignedIn(page)
    },
    { expected: refused },
  ),
)

test(
  'adds, names and removes a passkey, and signs in with it by the button',
  visit(
    async page => {
      await openFirstVisit(page)
      const authenticator = await addVirtualAuthenticator(page.context(), page)
      await signIn(page)
      const dialog = await openSecurity(page)
      await press(dialog, 'Add a passkey')
      await toast(page, 'Passkey added')
      await press(dialog, 'Rename Passkey 1')
      await dialog.getByLabel('Name').fill('Work laptop')
      await press(dialog, 'Save')
      await dialog.getByText('Work laptop', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await signOut(page)

      const login = await authenticator.waitWhile(() => openDialog(page, 'Log in'))
      assert.equal(await login.getByLabel('Email').getAttribute('autocomplete'), 'username webauthn')
      await press(login, 'Sign in with a passkey')
      await login.waitFor({ state: 'detached' })
      await untilSignedIn(page)

      const security = await openSecurity(page)
      await press(security, 'Remove Work laptop')
      await press(security, 'Remove passkey')
      await toast(page, 'Passkey removed')
      await security.getByText('Work laptop', { exact: true }).waitFor({ state: 'detached' })
    },
    { expected: refused },
  ),
)

test(
  'explains at the button that no passkey was chosen',
  visit(async page => {
    await openFirstVisit(page)
    // The browser’s answer after "Cancel", and after its time-out.
    await page.evaluate(() => {
      navigator.credentials.get = async () => {
        throw new DOMException('', 'NotAllowedError')
      }
    })
    const dialog = await openDialog(page, 'Log in')
    await press(dialog, 'Sign in with a passkey')
    await dialog.getByRole('alert').getByText('No passkey was chosen. You can try again.').waitFor()
  }),
)

test(
  'says nothing to a driver who has not asked for a passkey, if the browser cannot offer one in the field',
  visit(async page => {
    await openFirstVisit(page)
    await page.evaluate(() => {
      navigator.credentials.get = async () => {
        throw new DOMException('A request is already pending.', 'OperationError')
      }
    })
    const warned = page.waitForEvent('console', message =>
      message.text().startsWith('Passkeys cannot be offered.'),
    )
    const dialog = await openDialog(page, 'Log in')
    await warned
    assert.equal(await dialog.getByRole('alert').count(), 0)
    // A driver who asks reads about it.
    await press(dialog, 'Sign in with a passkey')
    await dialog.getByRole('alert').getByText('Your browser could not use a passkey here.').waitFor()
  }),
)

test(
  'signs in with a passkey that the driver picks in the field of the address, without a second step',
  visit(
    async page => {
      await openFirstVisit(page)
      await addVirtualAuthenticator(page.context(), page)
      await signIn(page)
      const dialog = await openSecurity(page)
      const { secret } = await addApp(dialog)
      await press(dialog, 'I have saved them')
      await press(dialog, 'Add a passkey')
      await toast(page, 'Passkey added')
      await page.keyboard.press('Escape')
      await signOut(page)
      // The dialog opens on the tab that was used last, and the authenticator picks its only passkey.
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await untilSignedIn(page)

      // A passkey alone neither shows the codes nor removes anything: the app's code is needed.
      const security = await openSecurity(page)
      await press(security, 'Remove')
      await press(security, 'Remove the app')
      await security.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
      await press(security, 'Cancel')
      await press(security, 'Show recovery codes')
      await security.getByLabel('Code', { exact: true }).fill(totpCode(secret, 1))
      await press(security, 'Continue')
      const codes = security.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
      await codes.nth(9).waitFor()
      await press(security, 'I have saved them')
      await press(security, 'Remove')
      await press(security, 'Remove the app')
      await toast(page, 'Authenticator app removed')
      await security.getByText('Off', { exact: true }).waitFor()
    },
    { expected: refused },
  ),
)

test(
  'adds wallets of both kinds by their signatures, shows and copies their addresses, and removes one',
  visit(
    async page => {
      const { metamask, phantom } = await addBrowserWallets(page.context())
      await openFirstVisit(page)
      const driver = await signIn(page)
      await proveAddress(page, driver, mailboxUrl())
      const dialog = await openSecurity(page)
      for (const [name, wallet] of [
        ['Metamask', metamask],
        ['Phantom', phantom],
      ] as const) {
        await press(dialog, `Add ${name}`)
        await dialog.getByTitle(wallet.address, { exact: true }).waitFor()
      }
      await press(dialog, 'Add Phantom')
      await dialog.getByRole('alert').getByText('This wallet opens your account already.').waitFor()
      const shown = `${metamask.address.slice(0, 6)}…${metamask.address.slice(-4)}`
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await press(dialog, `Copy ${shown}`)
      await toast(page, 'Address copied')
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), metamask.address)
      await press(dialog, `Remove ${shown}`)
      await press(dialog, 'Keep it')
      await press(dialog, `Remove ${shown}`)
      await press(dialog, 'Remove wallet')
      await toast(page, 'Wallet removed')
      await dialog.getByTitle(metamask.address, { exact: true }).waitFor({ state: 'detached' })
      await dialog.getByTitle(phantom.address, { exact: true }).waitFor()
    },
    { expected: refused },
  ),
)

test(
  'adds a social account, signs in with it, explains a refusal, and removes it',
  visit(
    async page => {
      await openFirstVisit(page)
      const driver = await signIn(page)
      await proveAddress(page, driver, mailboxUrl())
      const dialog = await openSecurity(page)
      await press(dialog, 'Add Discord')
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.getByText('Nothing was added. You can try again.').waitFor()
      await press(page.getByRole('main'), 'Back to Home')
      await press(await openSecurity(page), 'Add Google')
      const social = newEmail()
      await agreeAt(page, 'Google', social)
      await page.getByText('The account was added.').waitFor()
      await toast(page, 'Social account added')
      await page.waitForURL(url => url.pathname === '/')
      await openSecurity(page)
      await dialog.getByRole('button', { name: 'Remove Google' }).waitFor()
      assert.equal(await dialog.getByRole('button', { name: 'Add Google' }).count(), 0)
      await page.keyboard.press('Escape')
      await signOut(page)

      await press(await openDialog(page, 'Log in'), 'Continue with Google')
      await agreeAt(page, 'Google', social)
      await untilSignedIn(page)
      const settings = await openSettings(page)
      await settings.getByText(driver.email).waitFor()
      await page.keyboard.press('Escape')
      await openSecurity(page)
      await press(dialog, 'Remove Google')
      await press(dialog, 'Remove account')
      await toast(page, 'Social account removed')
      await dialog.getByRole('button', { name: 'Add Google' }).waitFor()
    },
    { expected: refused },
  ),
)

test(
  'shows the organization that a driver has joined',
  visit(async page => {
    const name = `Racing ${randomInt(1_000_000)}`
    const domain = `team-${randomInt(1_000_000_000)}.example`
    const said = await operatorCommand(
      'organizations.ts',
      ['save', '--name', name, '--domain', domain, '--method', 'passwords'],
      { DATABASE_URL: identityDatabaseUrl() },
    )
    await openFirstVisit(page)
    const driver = await aDriver(page, { email: `driver@${domain}` })
    await proveAddress(page, driver, mailboxUrl())
    await signIn(page, driver)
    const session = (await page.context().cookies()).find(cookie => cookie.name === 'stytch_session')!
    await callIdentity(page, `/organizations/${/has the id (\S+)/.exec(said)![1]}/join`, {
      as: decodeURIComponent(session.value),
      body: {},
    })
    const dialog = await openSecurity(page)
    await dialog.getByText(`Member of ${name}`, { exact: true }).waitFor()
  }),
)

test(
  'explains a refusal, another account and a cancelled request of a wallet',
  visit(async page => {
    const wallets = await addBrowserWallets(page.context())
    await openFirstVisit(page)
    const driver = await signIn(page)
    await proveAddress(page, driver, mailboxUrl())
    const dialog = await openSecurity(page)
    const alert = dialog.getByRole('alert')
    wallets.set('refuses')
    for (const name of ['Metamask', 'Phantom']) {
      await press(dialog, `Add ${name}`)
      await alert.getByText('Nothing was confirmed in the wallet. You can try again.').waitFor()
      await press(alert, 'Dismiss')
    }
    wallets.set('waits')
    await press(dialog, 'Add Metamask')
    await dialog.getByText('Confirm in your wallet. It shows the text that you sign.').waitFor()
    await until(async () => {
      await page.evaluate(() => {
        // biome-ignore lint/suspicious/noExplicitAny: the wallet of the test.
        ;(window as any).ethereum.emit('accountsChanged', ['0x0000000000000000000000000000000000000001'])
      })
      return alert.getByText('The account in the wallet has changed. Please try again.').isVisible()
    }, 'the page heard of the change')
    await press(dialog, 'Add Metamask')
    await press(dialog, 'Cancel')
    await alert.getByText('Nothing was confirmed in the wallet. You can try again.').waitFor()
    wallets.set('confirms')
    await press(dialog, 'Add Metamask')
    await dialog.getByTitle(wallets.metamask.address, { exact: true }).waitFor()
  }),
)

test(
  'says that the browser has no wallet',
  visit(async page => {
    await openFirstVisit(page)
    const driver = await signIn(page)
    await proveAddress(page, driver, mailboxUrl())
    const dialog = await openSecurity(page)
    await dialog.getByText(/^No wallet was found in this browser\./).waitFor()
  }),
)

test(
  'lists where the driver is signed in, and signs out everywhere else',
  visit(
    async page => {
      await openFirstVisit(page)
      const driver = await signIn(page)
      const dialog = await openSecurity(page)
      const section = dialog.getByRole('region', { name: 'Where you are signed in' })
      // The call that created the account has a session, too.
      await section.getByRole('listitem').nth(1).waitFor()
      assert.match(
        (await section.getByRole('listitem').first().textContent())!,
        /^Chrome on \w+This browser$/,
      )
      await section.getByText(/^Last used /).waitFor()
      await press(section, 'Sign out everywhere else')
      await press(section, 'Keep it')
      await press(section, 'Sign out everywhere else')
      await press(section, 'Sign them out')
      await toast(page, 'Signed out everywhere else')
      await section.getByText('You are signed in nowhere else.').waitFor()
      const { identity } = (await (await page.request.get('/config.json')).json()) as {
        identity: { publicToken: string }
      }
      const authorization = `Basic ${btoa(`${identity.publicToken}:${driver.token}`)}`
      const answer = await page.request.get('/sdk/v1/users/me', { headers: { authorization } })
      assert.equal(answer.status(), 404)
      await page.reload()
      await untilSignedIn(page)
    },
    { expected: refused },
  ),
)

test(
  'asks a driver whose sign-in is older than five minutes to confirm that it is them, in each way that needs no other page',
  visit(
    async page => {
      await openFirstVisit(page)
      await addVirtualAuthenticator(page.context(), page)
      const driver = await signIn(page)
      const age = () => ageSignIns(identityDatabaseUrl(), driver.session.user_id)
      const dialog = await openSecurity(page)
      const passkeys = dialog.getByRole('heading', { name: 'Passkeys' })
      const question = dialog.getByRole('heading', { name: 'Confirm that it is you' })

      // An action of the open dialog waits for the password, and goes on.
      await age()
      await press(dialog, 'Add a passkey')
      await question.waitFor()
      assert.equal(await passkeys.isVisible(), false)
      await press(dialog, 'Continue')
      await dialog.getByRole('alert').getByText('Enter your password').waitFor()
      await dialog.getByLabel('Password', { exact: true }).fill('not the password')
      await press(dialog, 'Continue')
      await dialog.getByRole('alert').getByText('Unauthorized credentials.').waitFor()
      await dialog.getByLabel('Password', { exact: true }).fill(driver.password)
      await press(dialog, 'Continue')
      await toast(page, 'Passkey added')
      await passkeys.waitFor()

      // Nothing is shown before, and a cancelled question closes the dialog.
      await page.keyboard.press('Escape')
      await age()
      await openSecurityDialog(page)
      await question.waitFor()
      await press(dialog, 'Cancel')
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await openSecurityDialog(page)
      await press(dialog, 'Use a passkey')
      await passkeys.waitFor()

      await age()
      await press(dialog, 'Sign out everywhere else')
      await press(dialog, 'Sign them out')
      await press(dialog, 'Mail me a code')
      // The mail about the new passkey arrives, too.
      const readCode = async () => /\b\d{6}\b/.exec((await mailTo(mailboxUrl(), driver.email)).text)?.[0]
      await until(async () => (await readCode()) !== undefined, 'the mail with the code arrives')
      await dialog.getByLabel('Code from the mail').fill((await readCode())!)
      await press(dialog, 'Continue')
      await toast(page, 'Signed out everywhere else')

      const { secret } = await addApp(dialog)
      await press(dialog, 'I have saved them')
      await age()
      await press(dialog, 'Remove Passkey 1')
      await press(dialog, 'Remove passkey')
      await dialog.getByLabel('Code', { exact: true }).fill(totpCode(secret, 1))
      await press(dialog, 'Continue')
      await toast(page, 'Passkey removed')
    },
    { expected: refused },
  ),
)

test(
  'shows an operator who acts for a driver a note on every page, lets nothing change, and ends',
  visit(
    async page => {
      await openFirstVisit(page)
      const driver = await aDriver(page)
      const link = await actFor(page, driver, identityDatabaseUrl())
      await page.getByText('You see Lapwing as the driver does.').waitFor()
      const note = page.getByRole('complementary', { name: 'Acting for a driver' })
      await note.getByText(/^operator@lapwing\.test sees Lapwing as this driver does/).waitFor()
      await page.waitForURL(url => url.pathname === '/')
      await page.goto('/terms')
      await note.waitFor()
      await page.goto('/')
      const dialog = await openSecurity(page)
      await press(dialog, 'Set up authenticator app')
      const refusal = dialog.getByText('You act for a driver. Only the driver can change the account.')
      await refusal.waitFor()
      await page.keyboard.press('Escape')
      await press(await openSettings(page), 'Edit username')
      const names = page.getByRole('dialog', { name: 'Update username' })
      await names.getByLabel('Username').fill('Operators_Choice')
      await press(names, 'Update Username')
      await screen.toast(page).getByText('Only the driver can change anything.').waitFor()
      await page.keyboard.press('Escape')
      await press(note, 'End')
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      await note.waitFor({ state: 'detached' })
      assert.match((await mailTo(mailboxUrl(), driver.email)).subject, /^An operator opened/)

      await page.goto(link)
      await page
        .getByRole('alert')
        .getByText(/has expired or is invalid/)
        .waitFor()
    },
    { expected: refused },
  ),
)
