import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A country whose numbers get codes. */
export interface PhoneCountry {
  /** Two letters of ISO 3166. */
  readonly code: string
  /** Such as "Germany (+49)". */
  readonly label: string
}

const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** Returns the countries by name. Leaves out those that this page does not know. */
export function phoneCountries(codes: readonly string[]): readonly PhoneCountry[] {
  return codes
    .flatMap(code => {
      const callingCode = callingCodeOf(code)
      return callingCode === null ? [] : [{ code, label: `${nameOf(code)} (+${callingCode})` }]
    })
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}

/** Returns the country to begin with: that of the browser's language, otherwise the United States. */
export function firstCountry(countries: readonly PhoneCountry[], languages: readonly string[]): string {
  const wanted = [...languages.map(regionOf), 'US']
  const found = wanted.find(code => countries.some(country => country.code === code))
  return found ?? countries[0]?.code ?? 'US'
}

export type TypedPhone =
  | { readonly number: string; readonly national: string; readonly country: string }
  | { readonly problem: string }

/**
 * Reads a number as people type it: of the chosen country, or of any with a plus. Returns E.164, or why the
 * number gets no code. The server knows more than the page, such as which numbers are landlines.
 */
export function readTypedPhone(
  typed: string,
  country: string,
  countries: readonly PhoneCountry[],
): TypedPhone {
  if (typed.trim() === '') return { problem: 'Enter your phone number' }
  const phone = parsePhoneNumberFromString(typed, { defaultCountry: country as CountryCode, extract: false })
  if (phone === undefined || !phone.isPossible()) {
    return { problem: `This is no phone number of ${nameOf(country)}. Check its digits and the country.` }
  }
  // The numbers of a few islands share a code with their neighbours, which this page sometimes cannot tell apart.
  const found = phone.country ?? country
  if (!countries.some(({ code }) => code === found)) {
    return { problem: `Lapwing sends no codes to numbers of ${nameOf(found)}.` }
  }
  return { number: phone.number, national: phone.formatNational(), country: found }
}

/** Returns a number in E.164 in the groups of its country, with its country code. */
export function formatPhone(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number
}

function callingCodeOf(code: string): string | null {
  try {
    return getCountryCallingCode(code as CountryCode)
  } catch {
    return null
  }
}

function nameOf(code: string): string {
  return names.of(code) ?? code
}

function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region
  } catch {
    return undefined
  }
}
