import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Config, type ConfigInput, readConfig, readPresentation } from './config.ts'
import { type Block, layoutOf, MAX_BUTTONS } from './layout.ts'
import { ONE_TAP_REASONS, oneTapProblem } from './one-tap.ts'
import { MODES, OAUTH_PROVIDERS, type OAuthProvider, PRODUCTS, type Product, WALLETS } from './products.ts'

const providers = Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]

const buttonsOf = (blocks: readonly Block[]) =>
  blocks.flatMap(block => (block.kind === 'buttons' ? block.buttons : []))
const formsOf = (blocks: readonly Block[]) =>
  blocks.flatMap(block => (block.kind === 'forms' ? block.forms : []))
const countOf = (blocks: readonly Block[], kind: Block['kind']) =>
  blocks.filter(block => block.kind === kind).length

/** Returns the configuration of these products. A code by mail goes with a magic link nowhere. */
function inputOf(products: readonly Product[], more: Partial<ConfigInput> = {}): ConfigInput {
  return {
    products,
    otpOptions: {
      methods: products.includes('emailMagicLinks') ? ['sms', 'whatsapp'] : ['sms', 'whatsapp', 'email'],
    },
    oauthOptions: { providers },
    ...more,
  }
}

/** Returns all sets of products that are not empty. */
function allSets(): readonly (readonly Product[])[] {
  return Array.from({ length: 2 ** PRODUCTS.length - 1 }, (_, index) =>
    PRODUCTS.filter((_product, bit) => ((index + 1) >> bit) & 1),
  )
}

function checkLayout(config: Config): void {
  const short = layoutOf(config, WALLETS, false)
  assert.ok(buttonsOf(short).length <= MAX_BUTTONS)
  assert.ok(countOf(short, 'forms') <= 1)
  const full = layoutOf(config, WALLETS, true)
  const hasMore = buttonsOf(short).some(({ kind }) => kind === 'more')
  assert.equal(hasMore, buttonsOf(full).length > MAX_BUTTONS)
  // Everything that Main leaves out is one press away, in the same order.
  const shown = buttonsOf(short).filter(({ kind }) => kind !== 'more')
  assert.deepEqual(buttonsOf(full).slice(0, shown.length), shown)
  assert.equal(
    buttonsOf(full).filter(({ kind }) => kind === 'oauth').length,
    config.products.includes('oauth') ? providers.length : 0,
  )
  const needsForm = (['emailMagicLinks', 'otp', 'passwords'] as const).some(product =>
    config.products.includes(product),
  )
  assert.equal(formsOf(full).length > 0, needsForm)
  assert.equal(new Set(formsOf(full)).size, formsOf(full).length)
}

describe('products', () => {
  test('all 63 sets have a layout of at most six buttons, and passkeys alone are refused', () => {
    const sets = allSets()
    assert.equal(sets.length, 63)
    for (const products of sets) {
      if (products.length === 1 && products[0] === 'passkeys') {
        assert.throws(() => readConfig(inputOf(products)), /passkeys cannot be the only product/)
      } else for (const tabs of [true, false]) checkLayout(readConfig(inputOf(products, { tabs })))
    }
  })

  test('50 random orders keep the order of the products', () => {
    const order = fc.shuffledSubarray([...PRODUCTS], { minLength: 2 })
    fc.assert(
      fc.property(order, products => {
        const config = readConfig(inputOf(products))
        checkLayout(config)
        const kinds = layoutOf(config, WALLETS, true).flatMap(block =>
          block.kind === 'forms' ? ['forms'] : block.buttons.map(({ kind }) => kind),
        )
        const kindOf = { oauth: 'oauth', crypto: 'wallet', passkeys: 'passkey' } as const
        const positions = products.flatMap(product =>
          product in kindOf ? [kinds.indexOf(kindOf[product as keyof typeof kindOf])] : [],
        )
        assert.deepEqual(
          positions,
          positions.toSorted((one, other) => one - other),
        )
      }),
      { numRuns: 50 },
    )
  })

  test('the first product that needs an address decides what its form does', () => {
    const first = (products: readonly Product[], methods: readonly ('email' | 'sms')[] = ['email']) =>
      formsOf(layoutOf(readConfig({ products, otpOptions: { methods } }), WALLETS, false))
    assert.deepEqual(first(['passwords', 'emailMagicLinks']), ['password'])
    assert.deepEqual(first(['emailMagicLinks', 'passwords']), ['link'])
    const choosing = { products: ['emailMagicLinks'], emailMagicLinksOptions: { offersCode: true } } as const
    assert.deepEqual(formsOf(layoutOf(readConfig(choosing), WALLETS, false)), ['choice'])
    assert.deepEqual(first(['otp', 'passwords']), ['code'])
    assert.deepEqual(first(['otp', 'passwords'], ['sms']), ['sms', 'password'])
    assert.deepEqual(first(['otp'], ['sms', 'email']), ['sms', 'code'])
  })

  test('a password after another way by mail has a button', () => {
    const kinds = (products: readonly Product[]) =>
      buttonsOf(layoutOf(readConfig({ products }), WALLETS, false)).map(({ kind }) => kind)
    assert.deepEqual(kinds(['emailMagicLinks', 'passwords']), ['password'])
    assert.deepEqual(kinds(['passwords', 'emailMagicLinks']), [])
  })
})

describe('a configuration', () => {
  test('has the defaults of the specification', () => {
    const config = readConfig()
    assert.deepEqual(config.products, ['emailMagicLinks'])
    assert.equal(config.link.loginMinutes, 30)
    assert.equal(config.link.signupMinutes, 30)
    assert.equal(config.link.isPending, false)
    assert.equal(config.sessionMinutes, 30)
    assert.equal(config.tabs, true)
  })

  test('shows a product once that is named twice', () => {
    assert.deepEqual(readConfig({ products: ['passwords', 'passwords'] }).products, ['passwords'])
  })

  test('says why One Tap does not show, in each of its five positions', () => {
    assert.equal(readConfig().oauth.oneTap, null)
    assert.match(oneTapProblem().message, /^One Tap could not load: This deployment has no client/)
    for (const position of MODES) {
      const google = { type: 'google', one_tap: true, position } as const
      const config = readConfig({ oauthOptions: { providers: [google] } })
      assert.deepEqual(config.oauth.oneTap, { position })
    }
    const unknown = { type: 'google', one_tap: true, position: 'top' as never } as const
    assert.throws(() => readConfig({ oauthOptions: { providers: [unknown] } }), /does not know "top"/)
    assert.equal(Object.keys(ONE_TAP_REASONS).length, 7)
  })

  test('accepts providers as names and as objects', () => {
    const { oauth } = readConfig({
      products: ['oauth'],
      oauthOptions: { providers: ['google', { type: 'discord' }] },
    })
    assert.deepEqual(oauth.providers, ['google', 'discord'])
  })

  const refusals: readonly (readonly [string, unknown, RegExp])[] = [
    ['no product', { products: [] }, /^products must name at least one product\.$/],
    [
      'an unknown product',
      { products: ['fax'] },
      /^products does not know "fax"\. It knows emailMagicLinks, /,
    ],
    ['products that are no list', { products: 'otp' }, /^products must be an array of strings\.$/],
    ['a product that is no text', { products: [1] }, /^products must be an array of strings\.$/],
    ['codes without a method', { products: ['otp'] }, /^otpOptions\.methods must name at least one/],
    ['an unknown method', { products: ['otp'], otpOptions: { methods: ['fax'] } }, /does not know "fax"/],
    ['no provider', { products: ['oauth'] }, /^oauthOptions\.providers must name at least one provider\.$/],
    [
      'a magic link beside a code by mail',
      { products: ['emailMagicLinks', 'otp'], otpOptions: { methods: ['email'] } },
      /^emailMagicLinks and the otp method email cannot be used together/,
    ],
    [
      'minutes as text',
      { emailMagicLinksOptions: { loginExpirationMinutes: '30' } },
      /^emailMagicLinksOptions\.loginExpirationMinutes must be a number\.$/,
    ],
    [
      'session minutes that are no number',
      { sessionOptions: { sessionDurationMinutes: Number.NaN } },
      /^sessionOptions\.sessionDurationMinutes must be a number\.$/,
    ],
    [
      'a flag as text',
      { emailMagicLinksOptions: { createUserAsPending: 'yes' } },
      /^emailMagicLinksOptions\.createUserAsPending must be a boolean\.$/,
    ],
    [
      'an address that is no text',
      { emailMagicLinksOptions: { loginRedirectURL: 5 } },
      /^emailMagicLinksOptions\.loginRedirectURL must be a string\.$/,
    ],
  ]
  for (const [what, input, sentence] of refusals) {
    test(`refuses ${what} with a sentence`, () => {
      assert.throws(() => readConfig(input as ConfigInput), { name: 'UsageError', message: sentence })
    })
  }
})

describe('a presentation', () => {
  test('is in place and follows the theme of the page by default', () => {
    assert.deepEqual(readPresentation(), { mode: 'embedded', theme: 'auto', logo: null, hasHeader: true })
  })

  test('refuses an unknown mode with a sentence', () => {
    assert.throws(() => readPresentation({ mode: 'upside-down' as never }), {
      name: 'UsageError',
      message: /^presentation\.mode does not know "upside-down"/,
    })
  })
})
