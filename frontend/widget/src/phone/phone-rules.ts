import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import type { Country, Formatted, Parsed, PhoneRules } from './phone-parser.ts'

/**
 * Reads a number of the country, or of any with a plus. `number` is E.164, empty if there is none. `national` is
 * how its country writes it, or the typed text as long as the number is not complete.
 */
export function readPhone(typed: string, country: CountryCode): Parsed & Formatted {
  const phone = parsePhoneNumberFromString(typed, { defaultCountry: country, extract: false })
  const isValid = phone?.isPossible() ?? false
  return {
    isValid,
    number: phone?.number ?? '',
    national: phone !== undefined && isValid ? phone.formatNational() : typed,
    country: phone?.country ?? country,
  }
}

/** The rules of all countries. They are large, so only a form with a phone number loads them. */
export const phoneRules: PhoneRules = {
  async parse(typed, country) {
    return readPhone(typed, country as CountryCode)
  },
  async format(typed, country) {
    // A number with its country code tells the country by itself.
    if (!typed.trim().startsWith('+'))
      return { national: new AsYouType(country as CountryCode).input(typed), country }
    return readPhone(typed, country as CountryCode)
  },
  async countries(codes) {
    const known = getCountries()
    const wanted = codes.length === 0 ? known : known.filter(code => codes.includes(code))
    return wanted.map((code): Country => ({ code, dialCode: getCountryCallingCode(code) }))
  },
}
