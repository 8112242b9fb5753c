import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstCountry, formatPhone, phoneCountries, readTypedPhone } from './phone-number.ts'

const countries = phoneCountries(['US', 'DE', 'CA', 'XX'])

test('lists the countries by name, without those that the page does not know', () => {
  assert.deepEqual(
    countries.map(({ label }) => label),
    ['Canada (+1)', 'Germany (+49)', 'United States (+1)'],
  )
})

test('begins with the country of the browser, otherwise with the United States', () => {
  assert.equal(firstCountry(countries, ['de-DE', 'en-US']), 'DE')
  assert.equal(firstCountry(countries, ['fr', 'en-CA']), 'CA')
  assert.equal(firstCountry(countries, ['pt-BR', 'not a language']), 'US')
  assert.equal(firstCountry(phoneCountries(['DE']), ['pt-BR']), 'DE')
})

for (const [typed, country, expected] of [
  ['0151 12345678', 'DE', { number: '+4915112345678', national: '01511 2345678', country: 'DE' }],
  ['(201) 555-0123', 'US', { number: '+12015550123', national: '(201) 555-0123', country: 'US' }],
  // The plus decides, whichever country is chosen.
  ['+49 151 12345678', 'US', { number: '+4915112345678', national: '01511 2345678', country: 'DE' }],
  ['', 'US', { problem: 'Enter your phone number' }],
  ['hello', 'DE', { problem: 'This is no phone number of Germany. Check its digits and the country.' }],
  ['12', 'DE', { problem: 'This is no phone number of Germany. Check its digits and the country.' }],
  ['+55 11 96123-4567', 'DE', { problem: 'Lapwing sends no codes to numbers of Brazil.' }],
] as const) {
  test(`reads "${typed}" in ${country}`, () => {
    assert.deepEqual(readTypedPhone(typed, country, countries), expected)
  })
}

test('shows a number in the groups of its country, and an unknown one unchanged', () => {
  assert.equal(formatPhone('+4915112345678'), '+49 1511 2345678')
  assert.equal(formatPhone('+999'), '+999')
})
