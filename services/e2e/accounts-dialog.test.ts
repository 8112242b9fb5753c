import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  aDriver,
  callsTo,
  forgetVisitor,
  goodPassword,
  hold,
  newEmail,
  openDialog,
  refuseNextWithoutWords,
  sessionCookies,
  stopClock,
  takeUsername,
} from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, pressBeside, screen } from './screen.ts'

/** The services are real; only answers that they never send are replaced, one at a time. */
const { visit, visitTogether } = lapwing({ reach: 'accounts', ownAddresses: true })
/** Errors that the browser logs for answers that a test causes. */
const refused = [/Failed to load resource/, /^answer: [45]\d\d to (GET|POST) .*\/(sdk|api)\//, /^request: /]

const field = (dialog: Locator, name: string) => dialog.getByLabel(name, { exact: true })
const press = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true }).click()
const said = (dialog: Locator, sentence: string) =>
  dialog.getByRole('alert').getByText(sentence, { exact: true }).waitFor()

async function fill(dialog: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await field(dialog, name).fill(text)
}

/** Fills the form for a new account and agrees to the terms. */
async function fillSignUp(
  dialog: Locator,
  { username, email = newEmail(), password = goodPassword }: Readonly<Record<string, string>>,
): Promise<void> {
  await fill(dialog, {
    Username: username!,
    Email: email,
    Password: password,
    'Confirm Password': password,
  })
  await dialog.getByText('Username available', { exact: true }).waitFor()
  await dialog.getByRole('checkbox').check()
}

/** For tests that open the page themselves and leave its clock alone: they share one window. */
const visitAnew = visitTogether(async () => {}, { leave: forgetVisitor })

/** For tests that leave the sign-up dialog open: they share one window. */
const visitSignUp = visitTogether(async page => {
  await openFirstVisit(page)
  await openDialog(page, 'Sign up')
})

test(
  'names each missing field in turn at sign-up, then signs in',
  visitAnew(
    async page => {
      await openFirstVisit(page)
      await aDriver(page, { username: 'taken-name' })
      const passwords = callsTo(page, /\/sdk\/v1\/passwords$/)
      const names = callsTo(page, /\/auth\/username$/)
      const dialog = await openDialog(page, 'Sign up')
      const create = () => press(dialog, 'Create account')

      await create()
      await said(dialog, 'Enter email and password')
      await fill(dialog, { Email: newEmail(), Password: goodPassword })
      await create()
      await said(dialog, 'Enter a username')

      await field(dialog, 'Username').fill('Taken-Name')
      await dialog.getByText('Username is already taken', { exact: true }).waitFor()
      await create()
      await said(dialog, 'Username is already taken')
      await field(dialog, 'Username').fill('apexhunter')
      await dialog.getByText('Username available', { exact: true }).waitFor()

      await create()
      await said(dialog, 'Passwords do not match')
      await field(dialog, 'Confirm Password').fill(goodPassword.slice(1))
      assert.equal(await field(dialog, 'Confirm Password').getAttribute('aria-invalid'), 'true')
      await field(dialog, 'Confirm Password').fill(goodPassword)
      assert.equal(await field(dialog, 'Confirm Password').getAttribute('aria-invalid'), null)

      await create()
      await said(dialog, 'Please agree to the terms of service')
      await dialog.getByRole('checkbox').check()
      assert.equal(passwords.length, 0)
      await create()
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Settings of apexhunter' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Sign in', exact: true }).count(), 0)
      const saved = names.find(call => call.method() === 'POST')
      const headers = saved!.headers()
      assert.match(headers.authorization ?? '', /^Bearer \S+\.\S+\.\S+$/)
      assert.equal(headers['x-requested-with'], 'XMLHttpRequest')
      assert.equal(headers['x-client-version'], '1.0.0')
      assert.equal(headers['content-type'], 'application/json')
    },
    { expected: refused },
  ),
)

test(
  'saves the name at sign-up, closes the dialog, then shows the name',
  visitAnew(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Sign up')
    await fillSignUp(dialog, { username: 'braking-late' })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/auth\/username$/, async route => {
      if (route.request().method() === 'POST') await released
      await route.continue()
    })
    await press(dialog, 'Create account')
    // The session exists, and the name is being saved.
    await page.locator('header').getByTitle('Settings').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Creating account...' }).isVisible(), true)
    release()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Settings of braking-late' }).waitFor()
  }),
)

test(
  'shows a name that is saved after the header asked for it',
  visitAnew(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Sign up')
    await fillSignUp(dialog, { username: 'late-braker' })
    await page.route(/\/auth\/username$/, async route => {
      // Save the name only after the header has received the default one.
      if (route.request().method() === 'POST') {
        await page
          .locator('header')
          .getByText(/^user[a-z0-9]{7}$/)
          .waitFor({ state: 'attached' })
      }
      await route.continue()
    })
    await press(dialog, 'Create account')
    await page.getByRole('button', { name: 'Settings of late-braker' }).waitFor()
  }),
)

for (const [what, password, sentence] of [
  ['easily guessed', 'abcdefgh1', 'This password is too easy to guess. Please choose a stronger one.'],
  [
    'breached',
    'qwertyuiop',
    'This password appears in a list of breached passwords and must be reset. Please choose another one.',
  ],
] as const) {
  test(
    `refuses a password that is ${what} in the provider's words`,
    visitSignUp(
      async page => {
        const dialog = page.getByRole('dialog')
        await fillSignUp(dialog, { username: `guess-${what.slice(0, 6)}`, password })
        await press(dialog, 'Create account')
        await said(dialog, sentence)
      },
      { expected: refused },
    ),
  )
}

test(
  'refuses a taken or invalid address in the provider’s words',
  visitSignUp(
    async page => {
      const { email } = await aDriver(page)
      const dialog = page.getByRole('dialog')
      await fillSignUp(dialog, { username: 'second-self', email: email.toUpperCase() })
      await press(dialog, 'Create account')
      await said(dialog, 'An account with this email already exists. Please sign in.')
      await field(dialog, 'Email').fill('driver at lapwing')
      await press(dialog, 'Create account')
      await said(dialog, 'Email format is invalid.')
      // Beside the problem of the passwords, too.
      await field(dialog, 'Confirm Password').fill('another one')
      await press(dialog, 'Create account')
      await said(dialog, 'Passwords do not match')
      assert.equal(await field(dialog, 'Email').getAttribute('aria-invalid'), 'true')
    },
    { expected: refused },
  ),
)

for (const [name, sentence] of [
  ['ab', 'Username must be at least 3 characters long'],
  ['1apex', 'Username must start with a letter'],
  ['apex hunter', 'Username can only contain letters, numbers, underscores, and hyphens'],
  ['shithead', 'Username contains inappropriate content'],
] as const) {
  test(
    `refuses the name "${name}" while it is typed: ${sentence}`,
    visitSignUp(async page => {
      const checks = callsTo(page, /\/auth\/username\/check\//)
      const dialog = page.getByRole('dialog')
      await field(dialog, 'Username').fill('')
      await field(dialog, 'Username').pressSequentially(name)
      await dialog.getByText(sentence, { exact: true }).waitFor()
      assert.equal(await field(dialog, 'Username').getAttribute('aria-invalid'), 'true')
      assert.equal(
        checks.some(call => decodeURIComponent(call.url()).endsWith(`/${name}`)),
        false,
      )
    }),
  )
}

test(
  'requires a name and limits it to 20 characters',
  visitSignUp(async page => {
    const dialog = page.getByRole('dialog')
    await field(dialog, 'Username').fill('')
    await field(dialog, 'Username').pressSequentially('abcdefghijklmnopqrstuvwxyz')
    assert.equal(await field(dialog, 'Username').inputValue(), 'abcdefghijklmnopqrst')
    await field(dialog, 'Username').fill('')
    await dialog.getByText('Username is required', { exact: true }).waitFor()
  }),
)

test(
  'continues the sign-up if another account takes the name at the last moment',
  visitAnew(
    async page => {
      await openFirstVisit(page)
      const rival = await aDriver(page)
      const dialog = await openDialog(page, 'Sign up')
      await fillSignUp(dialog, { username: 'slipstream' })
      await takeUsername(page, rival, 'Slipstream')
      await press(dialog, 'Create account')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /^Settings of user[a-z0-9]{7}$/ }).waitFor()
    },
    { expected: refused },
  ),
)

test(
  'opens the terms and the privacy policy from the dialog',
  visitSignUp(async page => {
    const dialog = page.getByRole('dialog')
    await dialog.getByText('I agree to the').waitFor()
    for (const [name, path] of [
      ['Terms of Service', '/terms'],
      ['Privacy Policy', '/privacy'],
    ] as const) {
      assert.equal(await dialog.getByRole('link', { name }).getAttribute('href'), path)
    }
  }),
)

test(
  'requires both fields at sign-in, shows the provider’s refusal, and welcomes back',
  visitAnew(
    async page => {
      await openFirstVisit(page)
      const driver = await aDriver(page)
      const dialog = await openDialog(page, 'Log in')
      await press(dialog, 'Sign in')
      await said(dialog, 'Enter email and password')
      await fill(dialog, { Email: driver.email, Password: 'wrong' })
      await press(dialog, 'Sign in')
      await said(dialog, 'Unauthorized credentials.')
      await fill(dialog, { Email: newEmail(), Password: driver.password })
      await press(dialog, 'Sign in')
      await said(dialog, 'Unauthorized credentials.')
      await fill(dialog, { Email: driver.email, Password: driver.password })
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await screen.toast(page).getByText('Welcome back!', { exact: true }).waitFor()
      await page.getByRole('button', { name: /^Settings of/ }).waitFor()
    },
    { expected: refused },
  ),
)

for (const [who, isKnown] of [
  ['a browser that never signed in there', false],
  ['a browser that signed in before', true],
] as const) {
  test(
    `${isKnown ? 'accepts' : 'refuses'} the right password after ten wrong tries from ${who}`,
    visitAnew(
      async page => {
        await openFirstVisit(page)
        const driver = await aDriver(page)
        if (!isKnown) await page.context().clearCookies()
        const dialog = await openDialog(page, 'Log in')
        await field(dialog, 'Email').fill(driver.email)
        for (let tries = 0; tries < 10; tries++) {
          await field(dialog, 'Password').fill(`wrong ${tries}`)
          const answered = page.waitForResponse(/\/passwords\/authenticate$/)
          await press(dialog, 'Sign in')
          assert.equal((await answered).status(), 401)
        }
        await field(dialog, 'Password').fill(driver.password)
        await press(dialog, 'Sign in')
        if (isKnown) await dialog.waitFor({ state: 'detached' })
        else await said(dialog, 'Too many failed authentication attempts. Please try again later.')
      },
      { expected: refused },
    ),
  )
}

test(
  'gives a remembered person a cookie with an end, others one that ends with the browser',
  visitAnew(async page => {
    await openFirstVisit(page)
    const driver = await aDriver(page)
    for (const remember of [true, false]) {
      const dialog = await openDialog(page, 'Log in')
      await fill(dialog, { Email: driver.email, Password: driver.password })
      await dialog.getByLabel('Remember me').setChecked(remember)
      await press(dialog, 'Sign in')
      await dialog.waitFor({ state: 'detached' })
      const [cookie] = await sessionCookies(page)
      assert.equal(cookie?.name, 'stytch_session')
      assert.equal(cookie?.sameSite, 'Lax')
      assert.equal(cookie!.expires > 0, remember)
      await page.context().clearCookies()
      await page.reload()
    }
  }),
)

for (const [tab, busy, ask] of [
  ['Sign up', 'Creating account...', 'Create account'],
  ['Log in', 'Signing in...', 'Sign in'],
] as const) {
  const isSignUp = tab === 'Sign up'
  const address = isSignUp ? /\/sdk\/v1\/passwords$/ : /\/passwords\/authenticate$/

  /** Opens the tab and fills every field. */
  const ready = async (page: Page, username: string) => {
    await openFirstVisit(page)
    const driver = isSignUp ? null : await aDriver(page)
    const dialog = await openDialog(page, tab)
    if (driver === null) await fillSignUp(dialog, { username })
    else await fill(dialog, { Email: driver.email, Password: driver.password })
    return dialog
  }

  test(
    `shows "${busy}" while "${ask}" works, blocks a second press, and keeps the focus`,
    visitAnew(async page => {
      const dialog = await ready(page, 'patient-one')
      const calls = callsTo(page, address)
      const { release } = await hold(page, address)
      await press(dialog, ask)
      const button = dialog.getByRole('button', { name: busy, exact: true })
      await button.waitFor()
      assert.equal(await button.isDisabled(), true)
      assert.equal(await button.evaluate(element => element === document.activeElement), true)
      await page.keyboard.press('Enter')
      release()
      await dialog.waitFor({ state: 'detached' })
      assert.equal(calls.length, 1)
    }),
  )

  const sentence = isSignUp ? 'Signed up (no session returned)' : 'Logged in (no session returned)'
  test(
    `explains an answer without a session: "${sentence}"`,
    visitAnew(async page => {
      const dialog = await ready(page, 'sessionless')
      // A hosted provider can answer like this; identity never does.
      await page.route(address, async route => {
        const answer = await route.fetch()
        const { data } = (await answer.json()) as { data: object }
        const none = { session: null, session_token: '', session_jwt: '' }
        await route.fulfill({ response: answer, json: { data: { ...data, ...none } } })
      })
      await press(dialog, ask)
      await screen.toast(page).getByText(sentence, { exact: true }).waitFor()
    }),
  )

  const fallback = isSignUp ? 'Sign up failed' : 'Login failed'
  test(
    `explains a refusal without a message: "${fallback}"; without a network: "Unable to contact our servers."`,
    visitAnew(
      async page => {
        const dialog = await ready(page, 'unlucky-one')
        await refuseNextWithoutWords(page, address)
        await press(dialog, ask)
        await said(dialog, fallback)
        await page.context().setOffline(true)
        await press(dialog, ask)
        await said(dialog, 'Unable to contact our servers.')
        await page.context().setOffline(false)
        await press(dialog, ask)
        await dialog.waitFor({ state: 'detached' })
      },
      { expected: refused },
    ),
  )
}

test(
  'shows the panel for a forgotten password, its sentences, and the way back',
  visitAnew(
    async page => {
      await openFirstVisit(page)
      const { email } = await aDriver(page)
      const address = /\/passwords\/email\/reset\/start$/
      const calls = callsTo(page, address)
      const dialog = await openDialog(page, 'Log in')
      await press(dialog, 'Forgot Password')
      await press(dialog, 'Send reset link')
      await said(dialog, 'Enter your email')
      await field(dialog, 'Email').fill('driver at lapwing')
      await press(dialog, 'Send reset link')
      await said(dialog, 'Email format is invalid.')
      await field(dialog, 'Email').fill(email)
      await refuseNextWithoutWords(page, address)
      await press(dialog, 'Send reset link')
      await said(dialog, 'Could not send reset link')
      const { release } = await hold(page, address)
      await press(dialog, 'Send reset link')
      const sending = dialog.getByRole('button', { name: 'Sending...', exact: true })
      assert.equal(await sending.isDisabled(), true)
      assert.equal(await sending.evaluate(element => element === document.activeElement), true)
      release()
      await screen.toast(page).getByText('Reset link sent. Check your inbox.', { exact: true }).waitFor()
      assert.deepEqual(calls.at(-1)?.postDataJSON(), {
        email,
        reset_password_redirect_url: `${new URL(page.url()).origin}/reset`,
      })
      await press(dialog, 'Back to sign in')
      assert.equal(await field(dialog, 'Email').inputValue(), email)
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    },
    { expected: refused },
  ),
)

for (const [name, provider] of [
  ['Google', 'google'],
  ['Discord', 'discord'],
] as const) {
  test(
    `opens the provider through identity with Continue with ${name}`,
    visitAnew(async page => {
      await openFirstVisit(page)
      const starts = callsTo(page, /\/v1\/public\/oauth\//)
      const dialog = await openDialog(page, 'Sign up')
      const origin = new URL(page.url()).origin
      await dialog.getByText('OR', { exact: true }).waitFor()
      await press(dialog, `Continue with ${name}`)
      await page.getByRole('heading', { name: `Local ${name}` }).waitFor()
      const start = new URL(starts[0]!.url())
      assert.equal(start.pathname, `/v1/public/oauth/${provider}/start`)
      assert.match(start.searchParams.get('public_token') ?? '', /^public-token-/)
      assert.equal(start.searchParams.get('login_redirect_url'), `${origin}/authenticate`)
      assert.equal(start.searchParams.get('signup_redirect_url'), `${origin}/authenticate`)
      assert.match(start.searchParams.get('code_challenge') ?? '', /^[\w-]{43}$/)
    }),
  )
}

test(
  'stores whether the terms were agreed to when the driver leaves for a provider',
  visitAnew(async page => {
    await openFirstVisit(page)
    for (const [tab, isAgreed] of [
      ['Sign up', true],
      ['Sign up', false],
      ['Sign up', true],
      ['Log in', false],
    ] as const) {
      const dialog = await openDialog(page, tab)
      if (isAgreed) await dialog.getByRole('checkbox').check()
      await press(dialog, 'Continue with Google')
      await page.getByRole('heading', { name: 'Local Google' }).waitFor()
      await page.goto('/')
      const flag = await page.evaluate(() => sessionStorage.getItem('lapwing.terms-agreed'))
      assert.equal(flag, isAgreed ? '1' : null, `${tab}, agreed: ${isAgreed}`)
    }
  }),
)

test(
  'changes the tab with the link below the form, and remembers the choice',
  visitAnew(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Sign up')
    await dialog.getByText('Already have an account?').waitFor()
    await press(dialog, 'Log in')
    assert.equal(await dialog.getByRole('tab', { name: 'Log in' }).getAttribute('aria-selected'), 'true')
    await page.reload()
    await screen.chooseFile(page).waitFor()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    assert.equal(await dialog.getByRole('tab', { name: 'Log in' }).getAttribute('aria-selected'), 'true')
    await press(dialog, 'Sign up')
    assert.equal(await dialog.getByRole('tab', { name: 'Sign up' }).getAttribute('aria-selected'), 'true')
  }),
)

test(
  'reveals a password on request',
  visitAnew(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Log in')
    await field(dialog, 'Password').fill('correct horse')
    assert.equal(await field(dialog, 'Password').getAttribute('type'), 'password')
    await press(dialog, 'Show Password')
    assert.equal(await field(dialog, 'Password').getAttribute('type'), 'text')
    await press(dialog, 'Hide Password')
    assert.equal(await field(dialog, 'Password').getAttribute('type'), 'password')
  }),
)

test(
  'accepts a pasted password, and labels each field for password managers',
  visit(
    async page => {
      await openFirstVisit(page)
      const dialog = await openDialog(page, 'Log in')
      await page.evaluate(text => navigator.clipboard.writeText(text), goodPassword)
      await field(dialog, 'Password').focus()
      await page.keyboard.press('ControlOrMeta+V')
      assert.equal(await field(dialog, 'Password').inputValue(), goodPassword)
      const told = (name: string) => field(dialog, name).getAttribute('autocomplete')
      assert.deepEqual(
        [await told('Email'), await told('Password')],
        ['username webauthn', 'current-password'],
      )
      await dialog.getByRole('tab', { name: 'Sign up' }).click()
      assert.deepEqual(
        [await told('Username'), await told('Email'), await told('Password'), await told('Confirm Password')],
        ['nickname', 'username', 'new-password', 'new-password'],
      )
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ),
)

test(
  'shows the strength of a new password, and the button stays where a driver presses it',
  visitSignUp(async page => {
    const dialog = page.getByRole('dialog')
    const create = dialog.getByRole('button', { name: 'Create account', exact: true })
    await field(dialog, 'Password').fill(goodPassword)
    const before = await create.boundingBox()
    await dialog.getByText('Very strong').waitFor()
    assert.deepEqual(await create.boundingBox(), before)
    await field(dialog, 'Password').fill('abcd')
    await dialog.getByText('Common character sequences like "abc" are easy to guess.').waitFor()
  }),
)

test(
  'closes the dialog on Escape and on a press outside, but not on a toast, and returns the focus',
  visitAnew(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Sign up')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.textContent === 'Sign in')
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await pressBeside(page, 20, 500)
    await dialog.waitFor({ state: 'detached' })

    await openDialog(page, 'Log in')
    await press(dialog, 'Forgot Password')
    await field(dialog, 'Email').fill(newEmail())
    await press(dialog, 'Send reset link')
    const toast = screen.toast(page).getByText('Reset link sent. Check your inbox.')
    await toast.waitFor()
    await toast.click()
    assert.equal(await dialog.isVisible(), true)
  }),
)

test(
  'shows the limited offer beside the form, and three cards that change every 4 s until held',
  visit(
    async page => {
      await page.clock.install()
      await openFirstVisit(page)
      // The test moves the cards itself, so a slow machine does not matter; the page opens the dialog in no
      // time.
      await stopClock(page)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      const dialog = page.getByRole('dialog')
      while (!(await dialog.getByText('Limited Time').isVisible())) await page.clock.runFor(20)
      await dialog
        .getByText(
          'the first 500 waitlist members get all 3 tiers for the price of the first tier for 1 year.',
        )
        .waitFor()
      await dialog.getByRole('heading', { name: 'Why Join Lapwing?' }).waitFor()
      const shown = () => dialog.locator('aside li button[aria-pressed="true"]')
      const title = async () => (await shown().locator('span').first().textContent()) ?? ''
      assert.equal(await title(), 'Compare every lap')
      await page.clock.fastForward(4000)
      await shown().getByText('Worldwide leaderboards').waitFor()
      await page.clock.fastForward(4000)
      await shown().getByText('Unlimited uploads').waitFor()

      await dialog.getByRole('button', { name: /^Worldwide leaderboards/ }).click()
      assert.equal(await title(), 'Worldwide leaderboards')
      await dialog.getByRole('button', { name: 'Show “Compare every lap”' }).click()
      assert.equal(await title(), 'Compare every lap')
      // The pointer is still on the panel, so no card moves, even after more than a card's time.
      await page.clock.fastForward(4500)
      assert.equal(await title(), 'Compare every lap')
    },
    { reducedMotion: 'no-preference' },
  ),
)

test(
  'stops the cards for a person who wants less motion',
  visit(
    async page => {
      await page.clock.install()
      await openFirstVisit(page)
      const dialog = await openDialog(page, 'Sign up')
      await page.clock.fastForward(4500)
      const shown = dialog.locator('aside li button[aria-pressed="true"]')
      assert.match((await shown.textContent()) ?? '', /^Compare every lap/)
    },
    { reducedMotion: 'reduce' },
  ),
)

for (const [width, dialogWidth, columns] of [
  [1440, 900, 2],
  [1024, 900, 2],
  [1000, 600, 1],
  [768, 600, 1],
  [700, 440, 1],
  [360, 336, 1],
] as const) {
  test(
    `makes the dialog ${dialogWidth} px wide on a window of ${width} px, in ${columns === 2 ? 'two columns' : 'one column'}`,
    visitSignUp(async page => {
      await page.setViewportSize({ width, height: 800 })
      await page.waitForFunction(width => document.documentElement.clientWidth === width, width)
      const dialog = page.getByRole('dialog')
      const box = await dialog.boundingBox()
      assert.equal(box?.width, dialogWidth)
      const [form, panel] = await Promise.all([
        dialog.locator('form').boundingBox(),
        dialog.locator('aside').boundingBox(),
      ])
      assert.equal(panel!.x > form!.x + form!.width ? 2 : 1, columns)
    }),
  )
}

test(
  'reaches everything in the dialog on a low window',
  visit(
    async page => {
      await openFirstVisit(page)
      const dialog = await openDialog(page, 'Sign up')
      const box = (await dialog.boundingBox())!
      assert.ok(box.y >= 0 && box.y + box.height <= 420)
      await dialog.getByRole('button', { name: 'Show “Unlimited uploads”' }).click()
      await dialog.getByRole('tab', { name: 'Log in' }).click()
    },
    { viewport: { width: 390, height: 420 }, hasTouch: true, isMobile: true },
  ),
)

// A deployment without accounts.
test(
  'says in the dialog if there are no accounts',
  visitAnew(async page => {
    const config = { preview: 'browser', maps: false, version: 'test', identity: null }
    await page.route('**/config.json', route => route.fulfill({ json: config }))
    await openFirstVisit(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').getByText('Accounts are not available here.').waitFor()
  }),
)

test(
  'asks the gateway again at sign-in if it did not answer when the page opened',
  visitAnew(
    async page => {
      let isAway = true
      await page.route('**/config.json', route => (isAway ? route.abort() : route.fallback()))
      await openFirstVisit(page)
      const driver = await aDriver(page)
      const dialog = await openDialog(page, 'Log in')
      await fill(dialog, { Email: driver.email, Password: driver.password })
      await press(dialog, 'Sign in')
      await said(dialog, 'Unable to contact our servers.')
      isAway = false
      await press(dialog, 'Sign in')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /^Settings of/ }).waitFor()
    },
    { expected: refused },
  ),
)
