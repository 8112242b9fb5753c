import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { newEmail } from './accounts.ts'
import { lapwing } from './harness.ts'
import {
  codeTo,
  IDP_PATH,
  looksRight,
  openWidget,
  press,
  serveForeignSite,
  untilProblem,
  untilScreen,
} from './widget.ts'

/** The widget on pages of other origins: strict, framed, hostile, twice, and for everybody. */
const site = serveForeignSite()
const { visit, url, mailboxUrl, demoAppUrl } = lapwing({
  reach: 'accounts',
  env: { identity: { ALLOWED_ORIGINS: site.origin } },
})
site.pointAt(url)
after(() => site.close())

/** Headers of an answer that a test makes up. */
const cors = () => ({
  'access-control-allow-origin': site.origin,
  'access-control-allow-credentials': 'true',
})
const refused = [/Failed to load resource/, /^answer: 4\d\d to POST .*\/sdk\//]
const byCode = { products: 'otp', 'otp-methods': 'email' }
const everything = {
  products: 'otp passwords oauth crypto passkeys',
  'otp-methods': 'email sms whatsapp',
  providers: 'google discord github',
}

async function enterByCode(widget: Locator, email: string): Promise<void> {
  await widget.getByLabel('Email').fill(email)
  await press(widget, 'Continue with email')
  await untilScreen(widget, 'Enter passcode')
  await widget.getByLabel('One-time passcode').fill(await codeTo(mailboxUrl(), email))
  await untilScreen(widget, 'Success!')
}

test(
  'works inside a frame',
  visit(async page => {
    await page.goto(`${site.origin}/?${new URLSearchParams({ ...byCode, framed: '' })}`)
    const widget = page.frameLocator('iframe').locator('lapwing-login')
    await enterByCode(widget, newEmail())
  }),
)

test(
  'two on a page have separate screens and languages',
  visit(async page => {
    await page.goto(`${site.origin}/?${new URLSearchParams({ ...byCode, count: '2' })}`)
    const [one, other] = [page.locator('lapwing-login').nth(0), page.locator('lapwing-login').nth(1)]
    await other.evaluate(element => element.setAttribute('locale', 'de'))
    await untilScreen(other, 'Registrieren oder anmelden')
    await enterByCode(one, newEmail())
    await untilScreen(other, 'Registrieren oder anmelden')
  }),
)

test(
  'starts again if it is removed and added, and hears nothing of the time before',
  visit(async page => {
    const widget = await openWidget(page, site, byCode)
    await widget.getByLabel('Email').fill(newEmail())
    await press(widget, 'Continue with email')
    await untilScreen(widget, 'Enter passcode')
    await page.evaluate(() => {
      const element = document.querySelector('lapwing-login')!
      element.remove()
      document.querySelector('main')!.append(element)
    })
    await untilScreen(widget, 'Sign up or log in')
    await enterByCode(widget, newEmail())
  }),
)

test(
  'leaves nothing on the page, and hostile styles of the page do not reach it',
  visit(async page => {
    const look = async () => {
      const button = page.getByRole('button', { name: 'Continue with email' })
      await button.waitFor()
      return button.evaluate(element => {
        const { fontSize, color, position, textTransform, letterSpacing, height } = getComputedStyle(element)
        return { fontSize, color, position, textTransform, letterSpacing, height }
      })
    }
    await openWidget(page, site, byCode)
    const before = await look()
    assert.equal(before.height, '45px')
    const { globals, sheets, styles } = await page.evaluate(() => {
      const clean = document.createElement('iframe')
      document.body.append(clean)
      const known = new Set(Object.getOwnPropertyNames(clean.contentWindow))
      clean.remove()
      return {
        globals: Object.getOwnPropertyNames(window).filter(
          name => !known.has(name) && !/^(?:\d+|__)/.test(name),
        ),
        sheets: document.adoptedStyleSheets.length + document.styleSheets.length,
        styles: document.querySelectorAll('style').length,
      }
    })
    assert.deepEqual({ globals, sheets, styles }, { globals: [], sheets: 0, styles: 0 })
    await page.goto(`${site.origin}/?${new URLSearchParams({ ...byCode, style: 'hostile' })}`)
    assert.deepEqual(await look(), before)
  }),
)

test(
  'render sets options, texts and callbacks, and the page hears events and errors',
  visit(
    async page => {
      const widget = await openWidget(page, site, byCode)
      await page.evaluate(() => {
        const heard: string[] = []
        const element = document.querySelector('lapwing-login') as HTMLElement & {
          render(input: object): void
        }
        for (const type of ['lapwing-event', 'lapwing-error']) {
          element.addEventListener(type, event => {
            const { type: what, name } = (event as CustomEvent).detail
            heard.push(`${type} ${name ?? what}`)
          })
        }
        element.render({
          strings: { 'login.title': 'Enter the paddock' },
          callbacks: { onEvent: ({ type }: { type: string }) => heard.push(`onEvent ${type}`) },
        })
        Object.assign(window, { heard })
      })
      await untilScreen(widget, 'Enter the paddock')
      await enterByCode(widget, newEmail())
      assert.deepEqual(await page.evaluate(() => (window as never as { heard: string[] }).heard), [
        'onEvent OTP_LOGIN_OR_CREATE',
        'lapwing-event OTP_LOGIN_OR_CREATE',
        'onEvent OTP_AUTHENTICATE',
        'lapwing-event OTP_AUTHENTICATE',
        'onEvent AUTHENTICATE_FLOW_COMPLETE',
        'lapwing-event AUTHENTICATE_FLOW_COMPLETE',
      ])
    },
    { expected: refused },
  ),
)

test(
  'refuses products that cannot be together, with a sentence',
  visit(
    async page => {
      const widget = page.locator('lapwing-login')
      for (const [attributes, sentence] of [
        [{ products: 'passkeys' }, /^passkeys cannot be the only product/],
        [{ products: 'emailMagicLinks otp', 'otp-methods': 'email' }, /cannot be used together/],
      ] as const) {
        await page.goto(`${site.origin}/?${new URLSearchParams(attributes)}`)
        await widget.getByRole('alert').getByText(sentence).waitFor()
      }
    },
    { expected: [/^console: lapwing-login: /] },
  ),
)

test(
  'shows a server’s sentence with its links, and stops its spinner, for every kind of failure',
  visit(
    async page => {
      const widget = await openWidget(page, site, byCode)
      const answers = [
        {
          json: { error_type: 'of_tomorrow', error_message: 'Read https://lapwing.test/help first.' },
          sentence: 'Read https://lapwing.test/help first.',
        },
        { json: { error_type: 'inactive_email', error_message: 'x' }, sentence: /marked as inactive/ },
        {
          json: { body: [{ dataPath: '.email', message: 'is short' }] },
          sentence: /does not match expected schema/,
        },
        { body: '<html>', sentence: 'Invalid JSON response from our servers.' },
        { sentence: 'Unable to contact our servers.' },
      ]
      for (const { sentence, ...answer } of answers) {
        await page.route('**/otps/email/login_or_create', route =>
          route.request().method() === 'OPTIONS'
            ? route.continue()
            : Object.keys(answer).length === 0
              ? route.abort('connectionrefused')
              : route.fulfill({ status: 400, headers: cors(), ...answer }),
        )
        await widget.getByLabel('Email').fill(newEmail())
        await press(widget, 'Continue with email')
        await untilProblem(widget, sentence)
        assert.equal(await widget.locator('[aria-busy]').count(), 0)
        if (answer === answers[0])
          await widget.getByRole('link', { name: 'https://lapwing.test/help' }).waitFor()
        await page.unrouteAll()
      }
    },
    { expected: [...refused, /^request: POST .*login_or_create/] },
  ),
)

/** Error types of the protocol's catalogue, with whether each is about the address. */
const ERRORS = {
  invalid_email: true,
  invalid_phone_number: false,
  unsubscribed_phone_number: false,
  inactive_email: true,
  unauthorized_credentials: false,
  user_unauthenticated: false,
  email_not_found: true,
  unable_to_auth_magic_link: false,
  no_user_password: false,
  oauth_token_not_found: false,
  invalid_code: false,
  member_password_not_found: false,
  oauth_flow_callback_error: false,
  unauthorized_action: false,
  user_lock_limit_reached: false,
  invalid_session_token: false,
  session_not_found: false,
  invalid_phone_number_country_code: false,
  otp_code_not_found: false,
  duplicate_member_phone_number: false,
} as const

test(
  'shows its own sentence under the right field for each type of the catalogue, and stops its spinner',
  visit(
    async page => {
      const widget = await openWidget(page, site, { products: 'passwords' })
      await widget.getByLabel('Email').fill(newEmail())
      await page.route('**/users/search', route =>
        route.fulfill({ headers: cors(), json: { data: { userType: 'password' } } }),
      )
      await page.route('**/passwords/email/reset/start', route =>
        route.fulfill({ headers: cors(), json: { data: {} } }),
      )
      await press(widget, 'Continue with email')
      await press(widget, 'Forgot password?')
      await press(widget, 'Log in with your password')
      let type = ''
      await page.route('**/passwords/authenticate', route =>
        route.fulfill({
          status: 400,
          headers: cors(),
          json: { error_type: type, error_message: `of ${type}` },
        }),
      )
      const fields = {
        email: widget.getByLabel('Email'),
        password: widget.getByLabel('Password', { exact: true }),
      }
      for (const [name, isOfAddress] of Object.entries(ERRORS)) {
        type = name
        await fields.password.fill('a password')
        const answered = page.waitForResponse('**/passwords/authenticate')
        await press(widget, 'Continue')
        await answered
        await widget.locator('[aria-busy]').waitFor({ state: 'detached' })
        const [faulty, other] = isOfAddress
          ? [fields.email, fields.password]
          : [fields.password, fields.email]
        const sentence = await faulty.evaluate(
          input =>
            (input.getRootNode() as ShadowRoot).getElementById(input.getAttribute('aria-describedby')!)!
              .textContent,
        )
        assert.match(sentence ?? '', /^[A-Z].+[.?]$/, name)
        assert.equal(await faulty.getAttribute('aria-invalid'), 'true', name)
        assert.equal(await other.getAttribute('aria-invalid'), null, name)
      }
    },
    { expected: refused },
  ),
)

test(
  'renders every set of products and 50 random orders, with tabs and without, with six buttons at most',
  visit(async page => {
    await openWidget(page, site, everything)
    const products = everything.products.split(' ').concat('emailMagicLinks')
    const sets = Array.from({ length: 2 ** products.length - 1 }, (_, index) =>
      products.filter((_product, bit) => ((index + 1) >> bit) & 1),
    )
    const shuffled = Array.from({ length: 50 }, () =>
      products
        .map(product => ({ product, place: Math.random() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ product }) => product),
    )
    const shown = [...sets, ...shuffled].filter(set => set.join() !== 'passkeys')
    assert.equal(shown.length, 62 + 50)
    const found = await page.evaluate(async all => {
      const element = document.querySelector('lapwing-login') as HTMLElement & { render(input: object): void }
      const root = element.shadowRoot!
      const looks: string[] = []
      for (const products of all) {
        for (const tabs of [true, false]) {
          const methods = products.includes('emailMagicLinks')
            ? ['sms', 'whatsapp']
            : ['email', 'sms', 'whatsapp']
          const title = `${products} ${tabs}`
          // A title of its own says that this set is drawn.
          element.render({
            config: { products, tabs, otpOptions: { methods } },
            strings: { 'login.title': title },
          })
          while (root.querySelector('h2')?.textContent !== title) await new Promise(requestAnimationFrame)
          const buttons = root.querySelectorAll('.buttons .button').length
          const forms = root.querySelectorAll('form').length
          if (
            buttons > 6 ||
            buttons + forms === 0 ||
            root.querySelector('[role=alert]:not(:empty)') !== null
          ) {
            looks.push(`${title}: ${buttons} buttons, ${forms} forms`)
          }
        }
      }
      return looks
    }, shown)
    assert.deepEqual(found, [])
  }),
)

test(
  'floats in a panel that Escape closes and its button opens, with the focus inside',
  visit(async page => {
    const widget = await openWidget(page, site, { ...byCode, mode: 'floating' })
    const panel = widget.getByRole('dialog', { name: 'Sign up or log in' })
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await press(widget, 'Sign in')
    await panel.getByLabel('Email').fill(newEmail())
    await press(panel, 'Close')
    await panel.waitFor({ state: 'hidden' })
  }),
)

test(
  'is usable by keyboard alone, in the order of the screen',
  visit(async page => {
    const widget = await openWidget(page, site, {
      ...byCode,
      products: 'otp oauth',
      providers: 'google discord',
    })
    const names: string[] = []
    for (let count = 0; count < 4; count++) {
      await page.keyboard.press('Tab')
      names.push(
        await widget.evaluate(element => {
          const focused = element.shadowRoot!.activeElement as HTMLInputElement
          return focused.labels?.[0]?.textContent ?? focused.textContent ?? ''
        }),
      )
    }
    assert.deepEqual(names, ['Email', 'Continue with email', 'Continue with Google', 'Continue with Discord'])
    await widget.getByLabel('Email').fill(newEmail())
    await page.keyboard.press('Enter')
    await untilScreen(widget, 'Enter passcode')
    const isInCode = () =>
      widget.evaluate(element => (element.shadowRoot!.activeElement as HTMLInputElement)?.name === 'code')
    await page.waitForFunction(
      () =>
        (document.querySelector('lapwing-login')!.shadowRoot!.activeElement as HTMLInputElement)?.name ===
        'code',
    )
    assert.ok(await isInCode())
  }),
)

/** Opens screens whose look differs, each through its own flow. */
const screens: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  Main: page => openWidget(page, site, everything),
  'Main without tabs': page => openWidget(page, site, { ...everything, tabs: 'off' }),
  'Main from right to left': page => openWidget(page, site, { ...everything, dir: 'rtl' }),
  'a failure': async page => {
    const widget = await openWidget(page, site, byCode)
    await widget.getByLabel('Email').fill('ada')
    await press(widget, 'Continue with email')
    await untilProblem(widget, 'Invalid email address.')
  },
  'the code': async page => {
    const widget = await openWidget(page, site, byCode)
    await widget.getByLabel('Email').fill(newEmail())
    await press(widget, 'Continue with email')
    await untilScreen(widget, 'Enter passcode')
  },
  'the QR code': async page => {
    const widget = await openWidget(page, site, { ...byCode, 'mfa-methods': 'totp smsOtp' })
    await widget.getByLabel('Email').fill(newEmail())
    const email = await widget.getByLabel('Email').inputValue()
    await press(widget, 'Continue with email')
    await widget.getByLabel('One-time passcode').fill(await codeTo(mailboxUrl(), email))
    await press(widget, 'Authenticator app')
    await untilScreen(widget, 'Scan the QR code')
  },
  'the choice of link or code': async page => {
    const widget = await openWidget(page, site, { products: 'emailMagicLinks', 'email-choice': 'on' })
    await widget.getByLabel('Email').fill(newEmail())
    await press(widget, 'Continue with email')
    await untilScreen(widget, 'Choose how to sign in')
  },
  'the question of an app': async page => {
    const back = encodeURIComponent(`${demoAppUrl()}/callback`)
    await page.goto(
      `${site.origin}${IDP_PATH}?client_id=demo-app&redirect_uri=${back}&scope=openid+email+laps:read`,
    )
    const widget = page.locator('lapwing-login')
    await enterByCode(widget, newEmail())
    await press(widget, 'Done')
    await untilScreen(widget, 'Connect Demo app?')
  },
  'other wallets': async page => {
    const widget = await openWidget(page, site, { products: 'crypto' })
    await press(widget, 'Continue with other crypto wallet')
    await untilScreen(widget, 'Choose a wallet')
  },
}

for (const [name, open] of Object.entries(screens)) {
  test(
    `axe finds nothing on ${name}, in both themes, at 1280 and 360 px and with text twice as large`,
    visit(
      async page => {
        await page.setViewportSize({ width: 1280, height: 900 })
        await open(page)
        await looksRight(page, name)
      },
      { expected: refused, reducedMotion: 'reduce' },
    ),
  )
}

test(
  'the demo shows a widget with the chosen options, and its snippet',
  visit(async page => {
    await page.goto('/widget/demo')
    const widget = page.locator('lapwing-login')
    await untilScreen(widget, 'Sign up or log in')
    await page.getByLabel('Language').selectOption('fr')
    await untilScreen(widget, 'Inscription ou connexion')
    await page.getByRole('group', { name: 'Products' }).getByLabel('crypto').check()
    await press(widget, 'Continuer avec Metamask')
    const snippet = (await page.locator('#snippet').textContent())!
    assert.match(snippet, /<script src="http:\/\/[\w.]+:\d+\/widget\/v1\.js" async><\/script>/)
    assert.match(snippet, /products="otp oauth passkeys crypto"/)
    assert.match(snippet, /locale="fr"/)
  }),
)
