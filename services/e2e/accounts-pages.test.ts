import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  aDriver,
  agreeAt,
  callIdentity,
  callsTo,
  forgetVisitor,
  goodPassword,
  hold,
  newEmail,
  openDialog,
  openSettings,
  refuseNextWithoutWords,
  signOut,
  stopClock,
} from './accounts.ts'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'
import { linkIn, mailTo } from './testing/mails.ts'

/** The pages that links and providers open, with the real services, mails and local providers. */
const { visit, visitTogether, mailboxUrl } = lapwing({ reach: 'accounts', ownAddresses: true })
/** Errors that the browser logs for answers that a test causes. */
const refused = [/Failed to load resource/, /^answer: [45]\d\d to (GET|POST) .*\/(sdk|api)\//, /^request: /]

/** For tests that open the page themselves and leave its clock alone: they share one window. */
const visitAnew = visitTogether(async () => {}, { leave: forgetVisitor })

const newPassword = 'a dry line appears at last'

const said = (page: Page, sentence: string) =>
  page.getByRole('alert').getByText(sentence, { exact: true }).waitFor()
const settings = (page: Page) => page.getByRole('button', { name: /^Settings of/ })

/** Asks for a reset mail in the dialog, and returns the address of its link. */
async function askForReset(page: Page, email: string): Promise<URL> {
  const dialog = await openDialog(page, 'Log in')
  await dialog.getByRole('button', { name: 'Forgot Password' }).click()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Send reset link' }).click()
  await screen.toast(page).getByText('Reset link sent. Check your inbox.', { exact: true }).waitFor()
  return linkIn(await mailTo(mailboxUrl(), email))
}

/** Asks for a reset mail without the page, and returns the address of its link. */
async function sendReset(page: Page, email: string): Promise<URL> {
  const { origin } = new URL((await page.request.get('/config.json')).url())
  const body = { email, reset_password_redirect_url: `${origin}/reset` }
  await callIdentity(page, '/passwords/email/reset/start', { body })
  return linkIn(await mailTo(mailboxUrl(), email))
}

async function typeTwice(page: Page, password: string): Promise<void> {
  await page.getByLabel('New Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(password)
}

test(
  'says on /reset that the token is missing, and asks for the link',
  visitAnew(async page => {
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
  'checks and sets the new password on /reset from the mail, signs in, and goes home 2 s later',
  visit(
    async page => {
      await page.clock.install()
      await openFirstVisit(page)
      const driver = await aDriver(page)
      await page.goto((await askForReset(page, driver.email)).href)
      const fresh = page.getByLabel('New Password', { exact: true })
      await typeTwice(page, '1234567')
      await page.keyboard.press('Enter')
      await said(page, 'Password must be at least 8 characters.')
      await fresh.fill(newPassword)
      await page.getByRole('button', { name: 'Set New Password' }).click()
      await said(page, 'Passwords do not match.')
      await typeTwice(page, 'qwertyuiop')
      await page.keyboard.press('Enter')
      await said(
        page,
        'This password appears in a list of breached passwords and must be reset. Please choose another one.',
      )
      await typeTwice(page, newPassword)
      await refuseNextWithoutWords(page, /\/passwords\/email\/reset$/)
      await page.keyboard.press('Enter')
      await said(page, 'Reset failed. Please try again.')

      for (const name of ['New Password', 'Confirm Password']) {
        await page.getByRole('button', { name: `Show ${name}` }).click()
        assert.equal(await page.getByLabel(name, { exact: true }).getAttribute('type'), 'text')
      }
      const { release } = await hold(page, /\/passwords\/email\/reset$/)
      await stopClock(page)
      await page.getByRole('button', { name: 'Set New Password' }).click()
      const busy = page.getByRole('button', { name: 'Updating...', exact: true })
      assert.equal(await busy.isDisabled(), true)
      assert.equal(await busy.evaluate(element => element === document.activeElement), true)
      release()
      await page.getByText('Password updated successfully! You are now signed in.', { exact: true }).waitFor()
      await page.clock.runFor(1999)
      assert.equal(new URL(page.url()).pathname, '/reset')
      await page.clock.runFor(1)
      await page.waitForURL(url => url.pathname === '/')
      await page.clock.resume()
      await settings(page).waitFor()

      await signOut(page)
      const login = await openDialog(page, 'Log in')
      await login.getByLabel('Email').fill(driver.email)
      await login.getByLabel('Password', { exact: true }).fill(driver.password)
      await login.getByRole('button', { name: 'Sign in', exact: true }).click()
      await said(page, 'Unauthorized credentials.')
      await login.getByLabel('Password', { exact: true }).fill(newPassword)
      await login.getByRole('button', { name: 'Sign in', exact: true }).click()
      await settings(page).waitFor()
    },
    { expected: refused },
  ),
)

test(
  'says on /reset that a used or invented link no longer works',
  visitAnew(
    async page => {
      const { email } = await aDriver(page)
      const link = await sendReset(page, email)
      for (const [address, password] of [
        [link.href, newPassword],
        [link.href, goodPassword],
        ['/reset?stytch_token_type=reset_password&token=made-up', goodPassword],
      ] as const) {
        await page.goto(address)
        await typeTwice(page, password)
        await page.keyboard.press('Enter')
        if (password === newPassword) await page.getByText('Password updated successfully!').waitFor()
        else await said(page, 'This reset link is invalid or has expired. Please ask for a new one.')
      }
    },
    { expected: refused },
  ),
)

test(
  'offers a new link on /reset only after the old one failed or was cut',
  visitAnew(
    async page => {
      const { email } = await aDriver(page)
      const offer = page.getByRole('button', { name: 'Ask for a new link' })
      await page.goto('/reset?stytch_token_type=reset_password&token=made-up')
      await typeTwice(page, goodPassword)
      assert.equal(await offer.count(), 0)
      await page.keyboard.press('Enter')
      await said(page, 'This reset link is invalid or has expired. Please ask for a new one.')
      await offer.waitFor()

      await page.goto('/reset')
      await offer.click()
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email')
      await page.keyboard.type(email)
      await page.keyboard.press('Enter')
      await page.getByText(`A mail is on its way to ${email}.`).waitFor()
      await page.goto(linkIn(await mailTo(mailboxUrl(), email)).href)
      await typeTwice(page, newPassword)
      await page.keyboard.press('Enter')
      await page.getByText('Password updated successfully!').waitFor()
    },
    { expected: refused },
  ),
)

test(
  'says that there is no account in the mail, but not on the page',
  visitAnew(async page => {
    await openFirstVisit(page)
    const email = newEmail()
    const link = await askForReset(page, email)
    assert.equal(link.pathname, '/')
    assert.equal((await mailTo(mailboxUrl(), email)).subject, 'No Lapwing account with this address')
  }),
)

for (const [query, sentence] of [
  ['error=access_denied', 'Sign-in was canceled. You can try again.'],
  ['error_type=user_cancelled', 'Sign-in was canceled. You can try again.'],
  ['error=server_error&message=The provider broke.', 'The sign-in provider says: The provider broke.'],
  ['error=server_error&error_message=It broke.&message=No.', 'The sign-in provider says: It broke.'],
  ['error=server_error', 'Authentication could not be completed.'],
  [
    'error=server_error&message=%3Cimg src=x onerror=alert(1)%3E Call 0800',
    'The sign-in provider says: <img src=x onerror=alert(1)> Call 0800',
  ],
  ['stytch_token_type=magic_links&token=t', 'This sign-in link has expired or is invalid. Please try again.'],
  ['stytch_token_type=sso&token=t', 'This sign-in link has expired or is invalid. Please try again.'],
  ['stytch_token_type=discovery&token=t', 'Invalid or expired authentication link. Please try again.'],
  ['stytch_token_type=oauth', 'Invalid or expired authentication link. Please try again.'],
  ['', 'Invalid or expired authentication link. Please try again.'],
  ['stytch_token_type=oauth&token=made-up', 'This sign-in link has expired or is invalid. Please try again.'],
] as const) {
  test(
    `shows on /authenticate?${query}: ${sentence}`,
    visitAnew(
      async page => {
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

test(
  'signs in with the link of a sign-in mail once, and says why it fails the second time',
  visitAnew(
    async page => {
      const email = newEmail()
      // The page has no button for it.
      await callIdentity(page, '/magic_links/email/login_or_create', { body: { email } })
      const link = linkIn(await mailTo(mailboxUrl(), email))
      assert.equal(link.pathname, '/authenticate')
      await page.goto(link.href)
      await settings(page).waitFor()
      await (await openSettings(page)).getByText(email, { exact: true }).waitFor()
      await page.goto(link.href)
      await said(page, 'This sign-in link has expired or is invalid. Please try again.')
    },
    { expected: refused },
  ),
)

test(
  'forwards a reset token from /authenticate to /reset, which accepts it',
  visitAnew(async page => {
    const { email } = await aDriver(page)
    const link = await sendReset(page, email)
    await page.goto(`/authenticate${link.search}`)
    await page.waitForURL(url => url.pathname === '/reset')
    await typeTwice(page, newPassword)
    await page.keyboard.press('Enter')
    await page.getByText('Password updated successfully! You are now signed in.', { exact: true }).waitFor()
  }),
)

for (const provider of ['Google', 'Discord'] as const) {
  test(
    `returns from a refusal at ${provider} without a session: "Sign-in was canceled. You can try again."`,
    visitAnew(async page => {
      await openFirstVisit(page)
      const dialog = await openDialog(page, 'Log in')
      await dialog.getByRole('button', { name: `Continue with ${provider}` }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.getByText('Sign-in was canceled. You can try again.', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Back to Home' }).click()
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    }),
  )
}

for (const [provider, name, compare, hash] of [
  ['Google', 'home', false, ''],
  ['Discord', 'to compare mode where that was wanted', true, '#compare=1'],
] as const) {
  test(
    `signs in on /authenticate by ${provider}, welcomes, and leads ${name} after a second; the link works once`,
    visit(
      async page => {
        await openFirstVisit(page)
        if (compare) await page.evaluate(() => localStorage.setItem('lapwing.enable-compare', '1'))
        const exchanges = callsTo(page, /\/oauth\/authenticate$/)
        await page.clock.install()
        const email = newEmail()
        const dialog = await openDialog(page, 'Sign up')
        await dialog.getByRole('button', { name: `Continue with ${provider}` }).click()
        const { release } = await hold(page, /\/oauth\/authenticate$/)
        await agreeAt(page, provider, email)
        await page.getByText('Finishing sign-in…', { exact: true }).waitFor()
        const link = page.url()
        // The main screen takes the hash away immediately, so the browser may report the last address only.
        await page.evaluate(() => {
          const addresses: string[] = []
          const replace = history.replaceState.bind(history)
          history.replaceState = (state, unused, address) => {
            replace(state, unused, address)
            addresses.push(location.pathname + location.hash)
          }
          Object.assign(window, { addresses })
        })
        await stopClock(page)
        release()
        await page.getByRole('button', { name: 'Go to Home' }).waitFor()
        // The second begins when the page has drawn its button, and the clock stops between two moves.
        let ms = 0
        for (; new URL(page.url()).pathname === '/authenticate'; ms += 10) {
          assert.ok(ms < 3000, 'it did not leave')
          await page.clock.runFor(10)
        }
        assert.ok(ms >= 1000, `it left after ${ms} ms`)
        const welcome = screen.toast(page).getByText('Welcome to Lapwing!', { exact: true })
        while (!(await welcome.isVisible())) await page.clock.runFor(20)
        const addresses = await page.evaluate(() => (window as { addresses?: string[] }).addresses)
        assert.equal(addresses?.[0], `/${hash}`)
        await page.clock.resume()
        await settings(page).waitFor()
        assert.equal(exchanges.length, 1)
        assert.equal(await page.evaluate(() => localStorage.getItem('lapwing.auth-tab')), 'login')
        await (await openSettings(page)).getByText(email, { exact: true }).waitFor()

        await page.goto(link)
        await said(page, 'This sign-in link has expired or is invalid. Please try again.')
      },
      { expected: refused },
    ),
  )
}

const file = { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2] }) }

/** For tests of a visitor with an open file, who signs in only in the last: they share one window. */
const visitWithFile = visitTogether(async page => {
  await openFirstVisit(page)
  await dropFiles(page, file)
  await shownLaps(page)
})

for (const [what, answer] of [
  ['saying no at Google', 'deny'],
  ['signing in at Google', 'agree'],
] as const) {
  test(
    `reopens the open file after ${what}, and after a reload`,
    visitWithFile(
      async page => {
        const laps = await shownLaps(page)
        const dialog = await openDialog(page, 'Log in')
        await dialog.getByRole('button', { name: 'Continue with Google' }).click()
        if (answer === 'agree') {
          await agreeAt(page, 'Google', newEmail())
          await settings(page).waitFor()
        } else {
          await page.getByRole('button', { name: 'Deny' }).click()
          await page.getByRole('button', { name: 'Back to Home' }).click()
        }
        await screen.loadedFile(page).getByText(file.name).waitFor()
        assert.deepEqual(await shownLaps(page), laps)
        await page.reload()
        await screen.loadedFile(page).getByText(file.name).waitFor()
        assert.deepEqual(await shownLaps(page), laps)
      },
      // This stack has no boards.
      { expected: refused },
    ),
  )
}

test(
  'goes home immediately with Go to Home',
  visit(async page => {
    await openFirstVisit(page)
    await page.clock.install()
    const dialog = await openDialog(page, 'Log in')
    await dialog.getByRole('button', { name: 'Continue with Google' }).click()
    const { release } = await hold(page, /\/oauth\/authenticate$/)
    await agreeAt(page, 'Google', newEmail())
    await page.getByText('Finishing sign-in…', { exact: true }).waitFor()
    await stopClock(page)
    release()
    await page.getByRole('button', { name: 'Go to Home' }).click()
    await page.clock.resume()
    await screen.chooseFile(page).waitFor()
  }),
)

test(
  'reopens the sample session after signing in at Google',
  visitAnew(
    async page => {
      await openFirstVisit(page)
      await screen.trySample(page).click()
      await screen.loadedFile(page).getByText('Sample session').waitFor()
      const dialog = await openDialog(page, 'Log in')
      await dialog.getByRole('button', { name: 'Continue with Google' }).click()
      await agreeAt(page, 'Google', newEmail())
      await settings(page).waitFor()
      await screen.loadedFile(page).getByText('Sample session').waitFor()
    },
    // This stack has no boards.
    { expected: refused },
  ),
)
