import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
import type { ATTRIBUTES } from '../../frontend/widget/src/read-attributes.ts'
import { en } from '../../frontend/widget/src/texts/en.ts'
import { ERROR_TYPES } from '../../frontend/widget/src/texts/error-sentence.ts'
import { newEmail } from './accounts.ts'
import { lapwing } from './harness.ts'
import {
  type Attributes,
  codeTo,
  looksRight,
  openWidget,
  press,
  serveForeignSite,
  untilProblem,
  untilScreen,
} from './widget.ts'

/** The widget on pages of other origins: strict, framed, hostile, twice, and for everybody. */
const site = serveForeignSite()
const { visit, url, mailboxUrl } = lapwing({
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
  'warns a developer of a wrong token, a wrong address of identity, and One Tap, and works as far as it can',
  visit(
    async page => {
      const warnings: string[] = []
      page.on('console', message => {
        if (message.type() === 'warning') warnings.push(message.text())
      })
      await openWidget(page, site, byCode)
      await page.evaluate(() => {
        const element = document.createElement('lapwing-login') as HTMLElement & {
          render(input: object): void
        }
        element.setAttribute('public-token', 'a-token')
        element.setAttribute('api', 'id.example')
        const google = { type: 'google', one_tap: true }
        element.render({ config: { products: ['oauth'], oauthOptions: { providers: [google] } } })
        document.querySelector('lapwing-login')!.replaceWith(element)
      })
      await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
      await until(async () => warnings.length === 3, 'there are three warnings')
      assert.deepEqual(warnings, [
        'lapwing-login: api must be an address, such as https://id.example.com.',
        'lapwing-login: public-token should start with "public-token-".',
        'lapwing-login: One Tap could not load: This deployment has no client for it. Lapwing offers Google by its button alone.',
      ])
    },
    { expected: [...refused, /^answer: 4\d\d to GET .*\/bootstrap\//] },
  ),
)

test(
  'waits with a spinner of 1.4 s, and has toasts of 350 px at most',
  visit(async page => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    const widget = await openWidget(page, site, byCode)
    await page.route('**/otps/email/login_or_create', async route => {
      await mayAnswer
      await route.continue()
    })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await widget.getByLabel('Email').fill(newEmail())
    await press(widget, 'Continue with email')
    const spinner = widget.getByRole('img', { name: 'Please wait…' })
    assert.equal(await spinner.evaluate(element => getComputedStyle(element).animationDuration), '1.4s')
    const toast = widget.getByRole('status')
    assert.equal(await toast.evaluate(element => getComputedStyle(element).maxWidth), '350px')
    answer()
    await untilScreen(widget, 'Enter passcode')
  }),
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

/** A form, and the errors of the protocol's catalogue that its call can return. */
interface FailingForm {
  readonly call: string
  readonly types: readonly string[]
  /** Opens the form. */
  readonly open: (page: Page) => Promise<Locator>
  readonly button: string
  /** What the person types again before each try. */
  readonly text: string
  readonly field: string
  /** A field of the form that the error is not about. */
  readonly other?: string
}

/** Opens the screen that follows the address on Main. */
async function openAfterAddress(page: Page, attributes: Attributes): Promise<Locator> {
  const widget = await openWidget(page, site, attributes)
  await widget.getByLabel('Email').fill(newEmail())
  await press(widget, 'Continue with email')
  return widget
}

async function openLogIn(page: Page): Promise<Locator> {
  await answerWith(page, '/users/search', { userType: 'password' })
  await answerWith(page, '/passwords/email/reset/start', {})
  const widget = await openAfterAddress(page, { products: 'passwords' })
  await press(widget, 'Forgot password?')
  await press(widget, 'Log in with your password')
  return widget
}

const answerWith = (page: Page, path: string, data: object) =>
  page.route(`**${path}`, route => route.fulfill({ headers: cors(), json: { data } }))

const ofLogIn = { call: '/passwords/authenticate', open: openLogIn, button: 'Continue', text: 'a password' }

const FAILING_FORMS: Readonly<Record<string, FailingForm>> = {
  'the address of a log-in': {
    ...ofLogIn,
    types: ['invalid_email', 'inactive_email', 'email_not_found'],
    field: 'Email',
    other: 'Password',
    text: newEmail(),
  },
  'the password of a log-in': {
    ...ofLogIn,
    types: [
      'unauthorized_credentials',
      'user_unauthenticated',
      'unable_to_auth_magic_link',
      'no_user_password',
      'oauth_token_not_found',
      'member_password_not_found',
      'oauth_flow_callback_error',
      'unauthorized_action',
      'user_lock_limit_reached',
      'invalid_session_token',
      'session_not_found',
    ],
    field: 'Password',
    other: 'Email',
  },
  'a new password': {
    call: '/passwords',
    types: ['breached_password', 'reset_password'],
    open: page => openAfterAddress(page, { products: 'passwords' }),
    button: 'Continue',
    text: 'a password',
    field: 'New password',
  },
  'a phone number': {
    call: '/otps/sms/login_or_create',
    types: [
      'invalid_phone_number',
      'unsubscribed_phone_number',
      'invalid_phone_number_country_code',
      'duplicate_member_phone_number',
    ],
    open: page => openWidget(page, site, { products: 'otp', 'otp-methods': 'sms' }),
    button: 'Continue with text message',
    text: '(202) 555-0143',
    field: 'Phone number',
  },
  'a code': {
    call: '/otps/authenticate',
    types: ['otp_code_not_found', 'invalid_code'],
    open: page => openAfterAddress(page, byCode),
    button: 'Continue',
    text: '12345',
    field: 'One-time passcode',
  },
}

test('the forms below have every error of the catalogue', () => {
  const types = Object.values(FAILING_FORMS).flatMap(form => form.types)
  assert.deepEqual(types.toSorted(), ERROR_TYPES.toSorted())
})

for (const [name, { call, types, open, button, text, field, other }] of Object.entries(FAILING_FORMS)) {
  test(
    `shows the catalogue's sentence under ${name}, and stops its spinner`,
    visit(
      async page => {
        const widget = await open(page)
        const faulty = widget.getByLabel(field, { exact: true })
        await widget.getByLabel(other ?? field, { exact: true }).fill(other === 'Email' ? newEmail() : text)
        let type = ''
        await page.route(`**/sdk/v1${call}`, route =>
          route.fulfill({
            status: 400,
            headers: cors(),
            json: { error_type: type, error_message: `of ${type}` },
          }),
        )
        for (type of types) {
          await faulty.fill(text)
          const answered = page.waitForResponse(`**/sdk/v1${call}`)
          await press(widget, button)
          await answered
          await widget.locator('[aria-busy]').waitFor({ state: 'detached' })
          const shown = await faulty.evaluate(
            input =>
              (input.getRootNode() as ShadowRoot).getElementById(input.getAttribute('aria-describedby')!)!
                .textContent,
          )
          assert.equal(shown, en[`error.${type}` as keyof typeof en])
          assert.equal(await faulty.getAttribute('aria-invalid'), 'true', type)
          if (other === undefined) continue
          assert.equal(await widget.getByLabel(other, { exact: true }).getAttribute('aria-invalid'), null)
        }
      },
      { expected: refused },
    ),
  )
}

const byText = { products: 'otp', 'otp-methods': 'sms' }

/** Returns the number of the next request for a text. */
async function nextNumber(page: Page): Promise<string> {
  const request = await page.waitForRequest(
    sent => sent.method() === 'POST' && sent.url().endsWith('/otps/sms/login_or_create'),
  )
  return request.postDataJSON().phone_number
}

test(
  'reads a number that is pasted with a plus, with spaces or with an extension',
  visit(async page => {
    const widget = await openWidget(page, site, byText)
    await answerWith(page, '/otps/sms/login_or_create', { method_id: 'phone-1' })
    const field = widget.getByLabel('Phone number')
    for (const [pasted, shown, country, sent] of [
      ['+49 1512 3456789', '01512 3456789', 'DE', '+4915123456789'],
      ['+447400123456', '07400 123456', 'GB', '+447400123456'],
      ['  202 555 0143  ', '(202) 555-0143', 'US', '+12025550143'],
      ['(202) 555-0143 ext. 5', '(202) 555-0143', 'US', '+12025550143'],
      ['+1 202 555 0143 x5', '(202) 555-0143 ext. 5', 'US', '+12025550143'],
    ] as const) {
      await field.focus()
      await page.keyboard.insertText(pasted)
      await widget.locator(`select:has(option:checked[value="${country}"])`).waitFor()
      await until(async () => (await field.inputValue()) === shown, `${pasted} is shown as ${shown}`)
      const number = nextNumber(page)
      await press(widget, 'Continue with text message')
      assert.equal(await number, sent)
      await untilScreen(widget, 'Enter passcode')
      await press(widget, 'Back')
    }
  }),
)

/** Opens the phone form while its rules do not load, on a page without time. */
async function openWithoutRules(page: Page) {
  const { promise: mayLoad, resolve: loadRules } = Promise.withResolvers<void>()
  await page.route(RULES, async route => {
    await mayLoad
    await route.continue()
  })
  await page.clock.install()
  const widget = await openWidget(page, site, byText)
  await answerWith(page, '/otps/sms/login_or_create', { method_id: 'phone-1' })
  await page.clock.pauseAt(Date.now() + 60_000)
  return { widget, field: widget.getByLabel('Phone number'), loadRules }
}

const RULES = '**/widget/assets/phone-rules-*.js'

test(
  'sends the digits of a number 2 s after the press while the rules load, with a spinner until then',
  visit(async page => {
    const { widget, field } = await openWithoutRules(page)
    await field.pressSequentially('2025550143')
    const number = nextNumber(page)
    await press(widget, 'Continue with text message')
    await widget.locator('[aria-busy]').waitFor()
    await page.clock.runFor(2_000)
    assert.equal(await number, '+12025550143')
  }),
)

test(
  'formats a number once the rules arrive after 3 s',
  visit(async page => {
    const { field, loadRules } = await openWithoutRules(page)
    await field.pressSequentially('2025550143')
    await page.clock.runFor(3_000)
    assert.equal(await field.inputValue(), '2025550143')
    loadRules()
    await until(async () => (await field.inputValue()) === '(202) 555-0143', 'the number is formatted')
  }),
)

test(
  'leaves a number as it is typed if the rules arrive after 11 s',
  visit(async page => {
    const { widget, field, loadRules } = await openWithoutRules(page)
    await field.pressSequentially('202555014')
    await page.clock.runFor(11_000)
    const loaded = page.waitForResponse(RULES)
    loadRules()
    await (await loaded).finished()
    assert.equal(await field.inputValue(), '202555014')
    assert.equal(await widget.getByRole('option').count(), 1)
    await field.press('End')
    await field.pressSequentially('3')
    await until(async () => (await field.inputValue()) === '(202) 555-0143', 'the next digit formats it')
  }),
)

test(
  'sends the digits of a number if the rules cannot be loaded',
  visit(
    async page => {
      await page.route(RULES, route => route.abort('connectionrefused'))
      const widget = await openWidget(page, site, byText)
      await answerWith(page, '/otps/sms/login_or_create', { method_id: 'phone-1' })
      await widget.getByLabel('Phone number').pressSequentially('202 555-0143')
      assert.equal(await widget.getByLabel('Phone number').inputValue(), '202 555-0143')
      const number = nextNumber(page)
      await press(widget, 'Continue with text message')
      assert.equal(await number, '+12025550143')
      await untilScreen(widget, 'Enter passcode')
    },
    { expected: [/Failed to load resource/, /^request: GET .*phone-rules/] },
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

test(
  'walks its tabs by the arrow keys, one at a time',
  visit(async page => {
    const widget = await openWidget(page, site, everything)
    await widget.getByRole('tab', { name: 'Email' }).focus()
    for (const [key, name, field] of [
      ['ArrowRight', 'Text', 'Phone number'],
      ['ArrowRight', 'WhatsApp', 'Phone number'],
      ['ArrowRight', 'Email', 'Email'],
      ['ArrowLeft', 'WhatsApp', 'Phone number'],
      ['Home', 'Email', 'Email'],
      ['End', 'WhatsApp', 'Phone number'],
    ] as const) {
      await page.keyboard.press(key)
      await widget.locator('[role=tab][aria-selected=true]:focus').getByText(name, { exact: true }).waitFor()
      await widget.getByRole('tabpanel', { name }).getByLabel(field).waitFor()
    }
  }),
)

/** Looks of Main that the tests of the flows do not see. */
const screens: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'Main with everything': page => openWidget(page, site, everything),
  'Main without tabs': page => openWidget(page, site, { ...everything, tabs: 'off' }),
  'a failure': async page => {
    const widget = await openWidget(page, site, byCode)
    await widget.getByLabel('Email').fill('ada')
    await press(widget, 'Continue with email')
    await untilProblem(widget, 'Invalid email address.')
  },
}

for (const [name, open] of Object.entries(screens)) {
  test(
    `looks right: ${name}`,
    visit(
      async page => {
        await open(page)
        await looksRight(page, name)
      },
      { expected: refused },
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
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('status').getByText('Copied').waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), snippet)
  }),
)

/** A value of each attribute that the demo can set. Its address sets only what it has a control for. */
const ofDemo: Readonly<Record<Exclude<(typeof ATTRIBUTES)[number], 'api' | 'public-token'>, string>> = {
  locale: 'de',
  products: 'otp oauth',
  tabs: 'off',
  'otp-methods': 'email sms',
  providers: 'discord',
  'mfa-methods': 'totp',
  'login-redirect-url': 'https://page.test/in',
  'signup-redirect-url': 'https://page.test/new',
  'reset-redirect-url': 'https://page.test/reset',
  'session-minutes': '45',
  'passkey-domain': 'page.test',
  mode: 'embeddedOnly',
  theme: 'light',
  logo: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  'logo-alt': 'Club',
  header: 'off',
  'email-choice': 'on',
  idp: 'on',
  organizations: 'on',
  organization: 'organization-live-none',
}

test(
  'the demo has a control for every option',
  visit(
    async page => {
      await page.goto(`/widget/demo?${new URLSearchParams(ofDemo)}`)
      await page.locator('lapwing-login').getByRole('heading').first().waitFor()
      const snippet = (await page.locator('#snippet').textContent())!
      for (const [name, value] of Object.entries(ofDemo))
        assert.ok(snippet.includes(` ${name}="${value}"`), name)
      const controls = page.getByRole('form', { name: 'Options' })
      const shown = await controls.locator('select, input:not([type=checkbox])').evaluateAll(list => {
        return list.map(control => (control as HTMLInputElement).value)
      })
      const chosen = await controls
        .locator('label:has(input:checked)')
        .evaluateAll(list => list.map(label => label.textContent))
      const all = [...shown, ...chosen]
      for (const value of Object.values(ofDemo).flatMap(words => words.split(' '))) {
        assert.ok(all.includes(value), value)
      }
    },
    { expected: [...refused, /^answer: 4\d\d to GET .*\/organizations\//] },
  ),
)
