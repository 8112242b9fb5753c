import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CountryCode, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js'
import examples from 'libphonenumber-js/mobile/examples'
import { createPhoneParser, DEFAULT_COUNTRY, type PhoneRules } from './phone-parser.ts'
import { phoneRules } from './phone-rules.ts'

const COUNTRIES =
  'US CA MX BR AR CL CO PE GB IE FR DE AT CH IT ES PT NL BE DK SE NO FI PL CZ HU GR TR UA ZA NG KE EG IL IN JP KR AU NZ SG'.split(
    ' ',
  ) as CountryCode[]

const parser = createPhoneParser(async () => phoneRules)
const of = (code: CountryCode) => ({ code, dialCode: getCountryCallingCode(code) })

describe('a phone number', () => {
  test('covers 40 countries', () => assert.equal(new Set(COUNTRIES).size, 40))

  for (const code of COUNTRIES) {
    test(`of ${code} is read as its people write it, with its calling code, and without spaces`, async () => {
      const phone = getExampleNumber(code, examples)!
      for (const typed of [phone.formatNational(), phone.formatInternational(), phone.number]) {
        assert.deepEqual(
          await parser.read(typed, of(code)).then(({ isValid, number }) => ({ isValid, number })),
          {
            isValid: true,
            number: phone.number,
          },
        )
      }
    })

    test(`of ${code} is formatted while it is typed`, async () => {
      const phone = getExampleNumber(code, examples)!
      const digits = phone.formatNational().replace(/\D/g, '')
      const { national, country } = await parser.format(digits, of(code))
      assert.equal(national.replace(/\D/g, ''), digits)
      assert.equal(country, code)
    })
  }

  test('is formatted as in the United States by default', async () => {
    assert.equal((await parser.format('2025550143', DEFAULT_COUNTRY)).national, '(202) 555-0143')
  })

  test('that is pasted with a plus chooses its country', async () => {
    const { national, country } = await parser.format('+49 1512 3456789', DEFAULT_COUNTRY)
    assert.equal(country, 'DE')
    assert.equal(national, '01512 3456789')
    assert.equal((await parser.read('+49 1512 3456789', DEFAULT_COUNTRY)).number, '+4915123456789')
  })

  test('loses spaces and its extension', async () => {
    assert.equal((await parser.read('  202 555 0143  ', DEFAULT_COUNTRY)).number, '+12025550143')
    assert.equal((await parser.read('(202) 555-0143 ext. 5', DEFAULT_COUNTRY)).number, '+12025550143')
  })

  test('with too few digits, or without any, is not valid', async () => {
    for (const typed of ['12', 'abc', '', '+']) {
      assert.equal((await parser.read(typed, DEFAULT_COUNTRY)).isValid, false, typed)
    }
  })
})

describe('slow rules', () => {
  /** Returns rules whose answers arrive after this time. */
  function slowParser(ms: number) {
    const late = async <Value>(read: () => Promise<Value>) => {
      await new Promise(resolve => setTimeout(resolve, ms))
      return read()
    }
    const slow: PhoneRules = {
      parse: (...number) => late(() => phoneRules.parse(...number)),
      format: (...number) => late(() => phoneRules.format(...number)),
      countries: codes => late(() => phoneRules.countries(codes)),
    }
    return createPhoneParser(async () => slow)
  }

  test('of 3 s: the number is formatted, and sent as calling code and digits after 2 s', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const sent = slowParser(3_000).read('(202) 555-0143', DEFAULT_COUNTRY)
    const typed = slowParser(3_000).format('2025550143', DEFAULT_COUNTRY)
    await settle()
    t.mock.timers.tick(2_000)
    assert.deepEqual(await sent, { isValid: true, number: '+12025550143' })
    t.mock.timers.tick(1_000)
    assert.equal((await typed).national, '(202) 555-0143')
  })

  test('of 11 s: the text stays as it is typed', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const typed = slowParser(11_000).format('2025550143', DEFAULT_COUNTRY)
    const countries = slowParser(11_000).countries([])
    await settle()
    t.mock.timers.tick(10_000)
    assert.deepEqual(await typed, { national: '2025550143', country: 'US' })
    assert.deepEqual(await countries, [DEFAULT_COUNTRY])
  })

  test('that fail: digits count as valid, and the text stays', async () => {
    const failing = createPhoneParser(() => Promise.reject(new Error('not loaded')))
    assert.deepEqual(await failing.read('(202) 555-0143', DEFAULT_COUNTRY), {
      isValid: true,
      number: '+12025550143',
    })
    assert.deepEqual(await failing.format('202555', DEFAULT_COUNTRY), { national: '202555', country: 'US' })
    assert.deepEqual(await failing.countries([]), [DEFAULT_COUNTRY])
  })
})

/** Lets the promises that wait for nothing else end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}
