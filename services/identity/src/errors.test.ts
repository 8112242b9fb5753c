import assert from 'node:assert/strict'
import { test } from 'node:test'
import contract from '@lapwing/contracts/identity.json' with { type: 'json' }
import { oauth2Errors } from './connected-apps/oauth2-error.ts'
import { errorTypes } from './errors.ts'

test('lists the same types and statuses in the error table and the contract', () => {
  const statuses = Object.fromEntries(Object.entries(errorTypes).map(([type, { status }]) => [type, status]))
  assert.deepEqual(statuses, contract.components.responses.Error['x-error-types'])
})

test('lists the same errors of OAuth and statuses in the error table and the contract', () => {
  const statuses = Object.fromEntries(
    Object.entries(oauth2Errors).map(([name, { status }]) => [name, status]),
  )
  assert.deepEqual(statuses, contract.components.responses.AppError['x-oauth-errors'])
})

/** The protocol client's exact sentences for these types. */
const CLIENT_SENTENCES = {
  invalid_email: 'Email format is invalid.',
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
} as const

for (const [type, sentence] of Object.entries(CLIENT_SENTENCES)) {
  test(`answers ${type} with: ${sentence}`, () => {
    assert.equal(errorTypes[type as keyof typeof errorTypes].message, sentence)
  })
}

test('keeps the client’s meaning in our own CLIENT_SENTENCES', () => {
  for (const [type, words] of [
    ['invalid_phone_number', /E\.164/],
    ['unsubscribed_phone_number', /START/],
    ['inactive_email', /inactive.*administrator/],
    ['unable_to_auth_magic_link', /used.*expired/],
    ['breached_password', /breached/],
    ['oauth_flow_callback_error', /try again/],
    ['invalid_phone_number_country_code', /invalid.*disabled/],
    ['duplicate_member_phone_number', /already exists in the organization/],
  ] as const) {
    assert.match(errorTypes[type].message, words)
  }
})
