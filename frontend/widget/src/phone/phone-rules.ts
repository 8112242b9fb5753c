import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import type { Country, PhoneRules } from './phone-parser.ts'

/** The rules of all countries. They are large, so only a form with a phone number loads them. */
export const phoneRules: PhoneRules = {
  async parse(typed, country) {
    const phone = parsePhoneNumberFromString(typed, {
      defaultCountry: country as CountryCode,
      extract: false,
    })
    if (phone === undefined) return { isValid: false, number: '', country }
    return { isValid: phone.isPossible(), number: phone.number, country: phone.country ?? country }
  },
  async format(typed, country) {
    // A number with its country code tells the country by itself.
    if (!typed.trim().startsWith('+'))
      return { national: new AsYouType(country as CountryCode).input(typed), country }
    const phone = parsePhoneNumberFromString(typed, { extract: false })
    if (phone?.country === undefined || !phone.isPossible()) return { national: typed, country }
    return { national: phone.formatNational(), country: phone.country }
  },
  async countries(codes) {
    const known = getCountries()
    const wanted = codes.length === 0 ? known : known.filter(code => codes.includes(code))
    return wanted.map((code): Country => ({ code, dialCode: getCountryCallingCode(code) }))
  },
}
