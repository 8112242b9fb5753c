import type { enScreens } from './en-screens.ts'

/**
 * English, the language of every message that another one lacks. Messages are in ICU MessageFormat. These are of
 * Main and of all screens; `en-screens.ts` has those of the others.
 */
export const en = {
  'login.title': 'Sign up or log in',
  'login.loading': 'Logging in...',
  'button.back': 'Back',
  'button.close': 'Close',
  'button.open': 'Sign in',
  'button.continue': 'Continue',
  'button.retry': 'Try again',
  'button.more': 'Show more options',
  'button.emailLogin': 'Continue with email',
  'button.sms': 'Continue with text message',
  'button.whatsapp': 'Continue with WhatsApp',
  'button.usePassword': 'Use a password',
  'button.loginWithPasskey': 'Log in with a passkey',
  'button.continueWith': 'Continue with {name}',
  'button.otherWallets': 'Continue with other crypto wallet',
  'button.organization': 'Sign in with your organization',
  'divider.text': 'or',
  'status.busy': 'Please wait…',
  'tab.email': 'Email',
  'tab.text': 'Text',
  'tab.whatsapp': 'WhatsApp',
  'tab.label': 'Ways to get a code or link',
  'field.email.label': 'Email',
  'field.email.placeholder': 'example@email.com',
  'field.phone.label': 'Phone number',
  'field.phone.placeholder': '(123) 456-7890',
  'field.country.label': 'Country code',
  'field.required': 'Please fill in this field.',
  'passkey.error.none': 'No passkey was chosen. You can try again.',
  'passkey.error.unknown': 'The passkey could not be used. Please try again, or sign in in another way.',
  'blocked.title': 'Sign-in is blocked',
  'blocked.content':
    'Our servers could not be reached. Turn off ad blockers for this page, check your connection, and try again.',
  'error.invalidEmailOtp': 'Invalid email address.',
  'error.unreachable': 'Unable to contact our servers.',
  'error.invalidJson': 'Invalid JSON response from our servers.',
  'error.usage': 'This sign-in form is not set up correctly.',
  'error.invalid_email': 'Email format is invalid.',
  'error.invalid_phone_number':
    'Phone number format is invalid. Ensure the phone number is in the E.164 format.',
  'error.unsubscribed_phone_number': 'This phone number has unsubscribed. Text START to subscribe again.',
  'error.inactive_email':
    'This email has been marked as inactive. Try another email or contact an administrator.',
  'error.unauthorized_credentials': 'Unauthorized credentials.',
  'error.user_unauthenticated': 'Must have an active session to call this method. Have you logged in yet?',
  'error.email_not_found': 'Email not found.',
  'error.unable_to_auth_magic_link':
    'This link has already been used or has expired. Please ask for a new one.',
  'error.no_user_password': 'Password not found for this user. Please try again.',
  'error.breached_password':
    'This password appears in a list of breached passwords and must be reset. Please choose another one.',
  'error.reset_password': 'Password must be reset.',
  'error.oauth_token_not_found': 'OAuth Token could not be found.',
  'error.invalid_code': 'Code format is invalid, please try again.',
  'error.member_password_not_found': 'Member password not found.',
  'error.oauth_flow_callback_error': 'The sign-in provider could not complete the sign-in. Please try again.',
  'error.unauthorized_action': 'Unauthorized action.',
  'error.user_lock_limit_reached': 'Too many failed authentication attempts. Please try again later.',
  'error.invalid_session_token': 'Invalid session token.',
  'error.session_not_found': 'Session not found.',
  'error.invalid_phone_number_country_code': 'The country code is invalid, not supported or disabled.',
  'error.otp_code_not_found': 'Invalid passcode, please try again.',
  'error.duplicate_member_phone_number':
    'A member with this phone number already exists in the organization.',
} as const satisfies Readonly<Record<string, string>>

export type MessageId = keyof typeof en | keyof typeof enScreens
