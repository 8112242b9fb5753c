import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { OAUTH_PROVIDERS, WALLETS } from '../config/products.ts'
import { en } from './en.ts'
import { enScreens } from './en-screens.ts'
import { ERROR_TYPES, fieldOf, linksIn, sentenceOf } from './error-sentence.ts'
import { bestLocale, createTexts, LOCALES, loadMessages, type MessageId } from './texts.ts'

const english = { ...en, ...enScreens }
const ids = Object.keys(english) as MessageId[]

/** Returns the names of values and tags in a message. */
function namesIn(message: string, locale: string): readonly string[] {
  const names = new Set<string>()
  const visit = (elements: readonly unknown[]) => {
    for (const element of elements as {
      type: number
      value: string
      options?: object
      children?: unknown[]
    }[]) {
      // 0 is plain text, and 7 the number sign of a plural.
      if (element.type !== 0 && element.type !== 7) names.add(element.value)
      if (element.children) visit(element.children)
      for (const option of Object.values(element.options ?? {})) visit((option as { value: unknown[] }).value)
    }
  }
  visit(new IntlMessageFormat(message, locale).getAst())
  return [...names].toSorted()
}

describe('texts', () => {
  test('throw before a locale is set', () => {
    const texts = createTexts()
    assert.throws(() => texts.text('button.back'), /before a locale was set/)
    assert.throws(() => texts.locale(), /before a locale was set/)
  })

  for (const locale of LOCALES) {
    test(`${locale} has every message, each with the values of the English one`, async () => {
      const messages = locale === 'en' ? english : await loadMessages(locale)
      assert.deepEqual(Object.keys(messages).toSorted(), ids.toSorted())
      for (const id of ids) {
        assert.ok(messages[id]?.trim(), id)
        assert.deepEqual(namesIn(messages[id]!, locale), namesIn(english[id], 'en'), id)
      }
    })
  }

  test('names buttons, tabs, providers and wallets as the specification does', () => {
    const text = (id: keyof typeof en) => en[id]
    assert.deepEqual(
      [text('button.emailLogin'), text('button.sms'), text('button.whatsapp'), text('button.continueWith')],
      ['Continue with email', 'Continue with text message', 'Continue with WhatsApp', 'Continue with {name}'],
    )
    assert.deepEqual(
      [text('tab.text'), text('tab.whatsapp'), text('tab.email'), text('field.phone.placeholder')],
      ['Text', 'WhatsApp', 'Email', '(123) 456-7890'],
    )
    assert.equal(
      Object.values(OAUTH_PROVIDERS).join(', '),
      'Google, Microsoft, Apple, GitHub, GitLab, Facebook, Discord, Salesforce, Slack, Amazon, Bitbucket, LinkedIn, Coinbase, Twitch, Twitter, TikTok, Snapchat, Figma, Yahoo',
    )
    assert.equal(
      WALLETS.join(', '),
      'Phantom, Vessel, Binance, Coinbase, Metamask, Other Ethereum Wallet, Other Solana Wallet',
    )
  })

  test('forms plurals by the rules of the language', async () => {
    const texts = createTexts()
    await texts.prepare()
    await texts.activate('de', await loadMessages('de'))
    assert.equal(texts.text('passcode.wait', { seconds: 1 }), 'Du kannst in 1 Sekunde erneut fragen.')
    assert.equal(texts.text('passcode.wait', { seconds: 3 }), 'Du kannst in 3 Sekunden erneut fragen.')
  })

  test('texts of the page come first', async () => {
    const texts = createTexts()
    await texts.activate('en', en, { 'login.title': 'Welcome to {where}' })
    assert.equal(texts.text('login.title', { where: 'the paddock' }), 'Welcome to the paddock')
    assert.equal(texts.text('button.back'), 'Back')
  })

  test('nothing that Main shows needs the parser', async () => {
    const texts = createTexts()
    await texts.activate('en', en)
    for (const id of Object.keys(en) as MessageId[]) {
      assert.ok(texts.text(id, { name: 'Google' }), id)
    }
    assert.throws(() => texts.text('passcode.wait', { seconds: 1 }), /is not loaded/)
  })

  test('a broken text of the page falls back to ours', async () => {
    const texts = createTexts()
    await texts.activate('en', en, { 'login.title': 'Welcome {', 'button.back': 'Back to {nowhere}' })
    assert.equal(texts.text('login.title'), 'Sign up or log in')
    assert.equal(texts.text('button.back'), 'Back')
  })

  test('tags become what their functions return', async () => {
    const texts = createTexts()
    await texts.activate('en', en)
    await texts.prepare()
    const parts = texts.parts('emailConfirmation.content', {
      email: 'ada@lapwing.test',
      bold: (chunks: readonly unknown[]) => ({ bold: chunks }),
    })
    assert.deepEqual(parts[1], { bold: ['ada@lapwing.test'] })
  })

  test('the best language is the one of the person', () => {
    const wanted = ['de-AT', 'pt', 'PT-br', 'en-GB', 'fr', 'ja', '']
    assert.deepEqual(wanted.map(bestLocale), ['de', 'pt-BR', 'pt-BR', 'en', 'fr', 'en', 'en'])
  })
})

describe('sentences of errors', () => {
  const texts = createTexts()
  before(() => texts.activate('en', en))

  test('the catalogue has 22 types', () => assert.equal(ERROR_TYPES.length, 22))

  for (const type of ERROR_TYPES) {
    test(`${type} has a sentence of ours, whatever the server says`, () => {
      const sentence = sentenceOf({ type, message: 'of the server' }, texts)
      assert.notEqual(sentence, 'of the server')
      assert.match(sentence, /^[A-Z].*[.?]$/)
    })
  }

  test('says what the specification says', () => {
    const sentences = {
      invalid_email: 'Email format is invalid.',
      invalid_phone_number: 'Phone number format is invalid. Ensure the phone number is in the E.164 format.',
      unauthorized_credentials: 'Unauthorized credentials.',
      user_unauthenticated: 'Must have an active session to call this method. Have you logged in yet?',
      email_not_found: 'Email not found.',
      no_user_password: 'Password not found for this user. Please try again.',
      reset_password: 'Password must be reset.',
      oauth_token_not_found: 'OAuth Token could not be found.',
      invalid_code: 'Code format is invalid, please try again.',
      member_password_not_found: 'Member password not found.',
      unauthorized_action: 'Unauthorized action.',
      user_lock_limit_reached: 'Too many failed authentication attempts. Please try again later.',
      invalid_session_token: 'Invalid session token.',
      session_not_found: 'Session not found.',
      otp_code_not_found: 'Invalid passcode, please try again.',
    }
    for (const [type, sentence] of Object.entries(sentences)) {
      assert.equal(sentenceOf({ type, message: '' }, texts), sentence)
    }
  })

  test('other types have the sentence of the server', () => {
    assert.equal(sentenceOf({ type: 'weak_password', message: 'Too easy.' }, texts), 'Too easy.')
    assert.equal(sentenceOf({ type: '', message: 'Too easy.' }, texts), 'Too easy.')
    // Ids of other messages are no types.
    assert.equal(sentenceOf({ type: 'login.title', message: 'Too easy.' }, texts), 'Too easy.')
  })

  test('failures without an answer have a sentence, too', () => {
    assert.equal(
      sentenceOf({ type: 'error.unreachable', message: '' }, texts),
      'Unable to contact our servers.',
    )
  })

  test('a failure is shown under the field that it is about', () => {
    assert.equal(fieldOf({ type: 'email_not_found', message: '' }), 'email')
    assert.equal(fieldOf({ type: 'unauthorized_credentials', message: '' }), 'password')
  })

  test('only https addresses become links, without the point behind them', () => {
    assert.deepEqual(
      linksIn('See https://lapwing.test/docs?a=1. Not javascript:alert(1) or http://x.test.'),
      [
        { text: 'See ', href: null },
        { text: 'https://lapwing.test/docs?a=1', href: 'https://lapwing.test/docs?a=1' },
        { text: '. Not javascript:alert(1) or http://x.test.', href: null },
      ],
    )
    assert.deepEqual(linksIn('No address.'), [{ text: 'No address.', href: null }])
  })
})
