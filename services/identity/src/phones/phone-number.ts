import { ParseError, type PhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/max'
import { IdentityError } from '../errors.ts'

/** Kinds of numbers that receive texts. Some countries have no range of their own for mobile phones. */
const TEXTABLE: ReadonlySet<string> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE'])

/** Longer ones are no numbers, in any spelling. */
const MAX_TYPED = 64

/**
 * Reads a typed number in E.164 and returns it without spaces and signs. Throws `invalid_phone_number` for
 * anything but the number of a mobile phone, and `invalid_phone_number_country_code` for a country that is not
 * one of `countries` (ISO 3166, two letters).
 */
export function readPhone(typed: string, countries: ReadonlySet<string>): string {
  const trimmed = typed.trim()
  // Without the sign it could be a number of any country.
  if (!/^\+[\d\s().-]+$/.test(trimmed) || trimmed.length > MAX_TYPED) {
    throw new IdentityError('invalid_phone_number')
  }
  const phone = parse(trimmed)
  if (!phone.isValid()) throw new IdentityError('invalid_phone_number')
  // Satellite networks and similar ones belong to no country.
  if (phone.country === undefined || !countries.has(phone.country)) {
    throw new IdentityError('invalid_phone_number_country_code')
  }
  if (!TEXTABLE.has(phone.getType() ?? '')) {
    throw new IdentityError('invalid_phone_number', {
      message: 'Texts reach mobile phones only. Please enter the number of a mobile phone.',
    })
  }
  return phone.number
}

function parse(number: string): PhoneNumber {
  try {
    return parsePhoneNumberWithError(number, { extract: false })
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw new IdentityError(
      error.message === 'INVALID_COUNTRY' ? 'invalid_phone_number_country_code' : 'invalid_phone_number',
    )
  }
}
