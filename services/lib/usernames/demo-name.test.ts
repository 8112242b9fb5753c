import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkUsername } from './check-username.ts'
import { demoName, isDemoName } from './demo-name.ts'

test('recognises a demo driver by the name, which no account can have', () => {
  for (const number of [1, 42, 9999]) {
    assert.ok(isDemoName(demoName(number)))
    assert.ok('problem' in checkUsername(demoName(number)))
  }
  for (const name of ['Demo', 'demo-driver-0042', 'Demo driver', 'Demo driver 42 x', 'Demo_driver_0042']) {
    assert.ok(!isDemoName(name))
  }
})
