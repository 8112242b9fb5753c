import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, readPresentation } from './config/config.ts'
import { mergeConfig, readAttributes } from './read-attributes.ts'

const read = (attributes: Readonly<Record<string, string>>) =>
  readAttributes(name => attributes[name] ?? null)

test('an element without attributes has the defaults', () => {
  const { config, presentation } = read({})
  assert.deepEqual(readConfig(config), readConfig())
  assert.deepEqual(readPresentation(presentation), readPresentation())
})

test('lists are words, and addresses serve every way that needs one', () => {
  const { config, presentation } = read({
    products: ' otp, oauth passkeys ',
    'otp-methods': 'sms email',
    providers: 'google discord',
    tabs: 'off',
    'login-redirect-url': 'https://racing.test/in',
    'session-minutes': '60',
    mode: 'floating',
    logo: '/logo.svg',
    header: 'off',
  })
  const checked = readConfig(config)
  assert.deepEqual(checked.products, ['otp', 'oauth', 'passkeys'])
  assert.deepEqual(checked.otp.methods, ['sms', 'email'])
  assert.equal(checked.tabs, false)
  assert.equal(checked.link.signupUrl, 'https://racing.test/in')
  assert.equal(checked.oauth.loginUrl, 'https://racing.test/in')
  assert.equal(checked.sessionMinutes, 60)
  assert.deepEqual(readPresentation(presentation), {
    mode: 'floating',
    theme: 'auto',
    logo: { url: '/logo.svg', alt: '' },
    hasHeader: false,
  })
})

test('a number that is none is refused with a sentence', () => {
  assert.throws(() => readConfig(read({ 'session-minutes': 'an hour' }).config), /must be a number/)
})

test('what render passes comes before the attributes, option by option', () => {
  const { config } = read({ products: 'otp', 'otp-methods': 'sms', providers: 'google' })
  const merged = mergeConfig(config, { products: ['otp', 'oauth'], otpOptions: { expirationMinutes: 2 } })
  const checked = readConfig(merged)
  assert.deepEqual(checked.products, ['otp', 'oauth'])
  assert.deepEqual(checked.otp.methods, ['sms'])
  assert.equal(checked.otp.minutes, 2)
  assert.deepEqual(checked.oauth.providers, ['google'])
})
