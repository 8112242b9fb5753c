import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerCall } from './answer-call.ts'

const call = (method: string, ...args: readonly unknown[]) => answerCall({ method, args })

test('reads a number of the country, and shows it as its people write it', () => {
  assert.deepEqual(call('parsedPhoneNumber', { phoneNumber: '2025550143', regionCode: 'US' }), {
    success: true,
    payload: { isValid: true, number: '+12025550143', national: '(202) 555-0143' },
  })
  assert.deepEqual(call('parsedPhoneNumber', { phoneNumber: '01512 3456789', regionCode: 'DE' }), {
    success: true,
    payload: { isValid: true, number: '+4915123456789', national: '01512 3456789' },
  })
})

test('leaves an incomplete number as it is typed, so that a person can delete its brackets', () => {
  for (const phoneNumber of ['(202)', '202', '', 'abc', '+']) {
    const answer = call('parsedPhoneNumber', { phoneNumber, regionCode: 'US' })
    assert.ok(answer.success)
    const { isValid, national } = answer.payload as { isValid: boolean; national: string }
    assert.deepEqual({ isValid, national }, { isValid: false, national: phoneNumber })
  }
})

test('shows an example of each country, and one of the United States for others', () => {
  assert.deepEqual(call('getExamplePhoneNumber', { regionCode: 'US' }), {
    success: true,
    payload: { phoneNumber: '(201) 555-0123' },
  })
  assert.deepEqual(call('getExamplePhoneNumber', { regionCode: 'XX' }), call('getExamplePhoneNumber', {}))
})

test('says that One Tap is not configured', () => {
  assert.deepEqual(call('oneTapStart', { publicToken: 'public-token-live-a' }), {
    success: true,
    payload: { requestId: '', googleClientId: '', stytchCsrfToken: '', oauthCallbackId: '' },
  })
  assert.equal(call('oneTapSubmit', { idToken: 'a' }).success, false)
})

test('refuses everything else without an error of its own', () => {
  const long = { phoneNumber: '1'.repeat(65) }
  const calls = [null, undefined, 'text', {}, { method: 'constructor' }, { method: 'parsedPhoneNumber' }]
  for (const wrong of [...calls, { method: 'parsedPhoneNumber', args: [long] }]) {
    assert.equal(answerCall(wrong).success, false)
  }
})
