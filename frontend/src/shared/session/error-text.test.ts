import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, SchemaError, UnreachableError } from '@lapwing/identity-client/errors'
import { errorText } from './error-text.ts'

test('shows error_message, else message, else the fallback', () => {
  for (const [error, shown] of [
    [new ApiError(400, { error_type: 't', error_message: 'One.', message: 'Two.' }), 'One.'],
    [new ApiError(400, { error_type: 't', error_message: '', message: 'Two.' }), 'Two.'],
    [new ApiError(400, { error_type: 't' }), 'Login failed'],
    [new UnreachableError(null), 'Unable to contact our servers.'],
    // The lines for developers are left out.
    [new SchemaError({ body: [{ dataPath: '.email' }] }), 'Request does not match expected schema.'],
    [new Error(' Words of ours. '), 'Words of ours.'],
    ['nothing', 'Login failed'],
    [undefined, 'Login failed'],
    [new TypeError('x is not a function'), 'Login failed'],
  ] as const) {
    assert.equal(errorText(error, 'Login failed'), shown)
  }
})
