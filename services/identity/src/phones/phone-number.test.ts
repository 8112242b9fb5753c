import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { IdentityError } from '../errors.ts'
import { readPhone } from './phone-number.ts'

const countries = new Set(['US', 'DE'])

/** Returns the number, or the code of the error. */
function read(typed: string): string {
  try {
    return readPhone(typed, countries)
  } catch (error) {
    if (error instanceof IdentityError) return error.code
    throw error
  }
}

for (const [what, typed, expected] of [
  ['a mobile number', '+4915112345678', '+4915112345678'],
  ['spaces and signs', ' +49 (151) 123-456.78 ', '+4915112345678'],
  ['a number of North America', '+12015550123', '+12015550123'],
  ['a number without plus', '4915112345678', 'invalid_phone_number'],
  ['a national number', '0151 12345678', 'invalid_phone_number'],
  ['a landline', '+4930901820', 'invalid_phone_number'],
  ['a toll-free number', '+18005551234', 'invalid_phone_number'],
  ['a premium number', '+19005551234', 'invalid_phone_number'],
  ['a number that is too short', '+49151', 'invalid_phone_number'],
  ['a country code alone', '+1', 'invalid_phone_number'],
  ['letters', '+1800FLOWERS', 'invalid_phone_number'],
  ['an extension', '+12015550123 ext. 5', 'invalid_phone_number'],
  ['two plus signs', '++4915112345678', 'invalid_phone_number'],
  ['digits of another script', '+٤٩١٥١١٢٣٤٥٦٧٨', 'invalid_phone_number'],
  ['nothing', '', 'invalid_phone_number'],
  ['a thousand digits', `+${'1'.repeat(999)}`, 'invalid_phone_number'],
  ['a country that is not in the list', '+5511961234567', 'invalid_phone_number_country_code'],
  ['another country of a shared code', '+12042345678', 'invalid_phone_number_country_code'],
  ['no country at all', '+99912345678', 'invalid_phone_number_country_code'],
  ['a network of no country', '+883510012345', 'invalid_phone_number_country_code'],
] as const) {
  test(`answers ${expected} for ${what}`, () => {
    assert.equal(read(typed), expected)
  })
}

test('explains that a landline gets no texts', () => {
  assert.throws(
    () => readPhone('+4930901820', countries),
    (error: unknown) => error instanceof IdentityError && /mobile phones only/.test(error.detail ?? ''),
  )
})

test('returns E.164 or one of two errors for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\+[0-9 ()-]{1,20}$/)), typed => {
      assert.match(read(typed), /^(\+\d{8,15}|invalid_phone_number|invalid_phone_number_country_code)$/)
    }),
  )
})
