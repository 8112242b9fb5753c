import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './config.ts'

const least = {
  DATABASE_URL: 'postgres://upload:x@localhost/lapwing',
  S3_ENDPOINT: 'http://localhost:9000',
  S3_BUCKET: 'lapwing',
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
  INTERNAL_KEY: 'x'.repeat(32),
}

test('a person may have 200 GiB kept where nothing else is said, and what is said otherwise', () => {
  assert.equal(loadConfig(least).maxKeptBytes, 214_748_364_800)
  assert.equal(loadConfig({ ...least, MAX_KEPT_BYTES: '104857600' }).maxKeptBytes, 104_857_600)
})

for (const [what, value] of [
  ['less than one file of 100 MB', '104857599'],
  ['half a byte', '104857600.5'],
  ['a number with a unit', '5GiB'],
  ['more than is counted exactly', '9007199254740992'],
] as const) {
  test(`the bytes kept may not be ${what}`, () => {
    assert.throws(() => loadConfig({ ...least, MAX_KEPT_BYTES: value }), /MAX_KEPT_BYTES must be a whole/)
  })
}
