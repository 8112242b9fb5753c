import { type CountryCode, getExampleNumber, isSupportedCountry } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { readPhone } from '../src/phone/phone-rules.ts'

/** Answers of the provider's protocol between its widget and its frame. */
export type Answer =
  | { readonly success: true; readonly payload: object }
  | { readonly success: false; readonly error: { readonly name: string; readonly message: string } }

/** Longest text that can be a phone number, with its spaces and an extension. */
const MAX_LETTERS = 64

/** Answers one call `{ method, args: [object] }` of the provider's own widget. Never throws. */
export function answerCall(call: unknown): Answer {
  const { method, args } = (call ?? {}) as { readonly method?: unknown; readonly args?: unknown }
  const given = (Array.isArray(args) ? args[0] : undefined) as Readonly<Record<string, unknown>> | undefined
  const country = countryOf(given?.regionCode)
  switch (method) {
    case 'parsedPhoneNumber': {
      const typed = given?.phoneNumber
      if (typeof typed !== 'string' || typed.length > MAX_LETTERS) {
        return failure('TypeError', 'phoneNumber must be a string of at most 64 letters.')
      }
      const { isValid, number, national } = readPhone(typed, country)
      return success({ isValid, number, national })
    }
    case 'getExamplePhoneNumber':
      return success({ phoneNumber: getExampleNumber(country, examples)?.formatNational() })
    case 'oneTapStart':
      // An empty client is the protocol's word for: not configured.
      return success({ requestId: '', googleClientId: '', stytchCsrfToken: '', oauthCallbackId: '' })
    case 'oneTapSubmit':
      return failure('StytchSDKUsageError', 'One Tap is not configured.')
    default:
      return failure('TypeError', 'This frame does not know the method.')
  }
}

function countryOf(code: unknown): CountryCode {
  return typeof code === 'string' && isSupportedCountry(code) ? code : 'US'
}

function success(payload: object): Answer {
  return { success: true, payload }
}

function failure(name: string, message: string): Answer {
  return { success: false, error: { name, message } }
}
