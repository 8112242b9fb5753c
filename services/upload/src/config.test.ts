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

test('by default has a quota of 2 GiB for an account, 10 GiB for a network and none for all', () => {
  const { maxBytesOfAccount, maxBytesOfNetwork, maxBytesInAll, ingestUrl } = loadConfig(least)
  assert.deepEqual(
    [maxBytesOfAccount, maxBytesOfNetwork, maxBytesInAll, ingestUrl],
    [2_147_483_648, 10_737_418_240, null, null],
  )
  const config = loadConfig({
    ...least,
    MAX_KEPT_BYTES: '104857600',
    MAX_KEPT_BYTES_NETWORK: '104857601',
    MAX_KEPT_BYTES_TOTAL: '104857602',
    INGEST_URL: 'http://ingest:8083',
  })
  assert.deepEqual(
    [config.maxBytesOfAccount, config.maxBytesOfNetwork, config.maxBytesInAll, config.ingestUrl?.host],
    [104_857_600, 104_857_601, 104_857_602, 'ingest:8083'],
  )
})

for (const [what, value] of [
  ['less than one file of 100 MB', '104857599'],
  ['half a byte', '104857600.5'],
  ['a number with a unit', '5GiB'],
  ['more than is counted exactly', '9007199254740992'],
] as const) {
  test(`rejects a quota of ${what}`, () => {
    for (const name of ['MAX_KEPT_BYTES', 'MAX_KEPT_BYTES_NETWORK', 'MAX_KEPT_BYTES_TOTAL']) {
      assert.throws(() => loadConfig({ ...least, [name]: value }), new RegExp(`${name} must be a whole`))
    }
  })
}
