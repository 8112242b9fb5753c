import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BucketAddress, createObjectStore, createStoreCheck } from './index.ts'
import { type TestBucket, testBucket } from './testing/test-bucket.ts'

let bucket: TestBucket

before(async () => {
  bucket = await testBucket()
})

after(() => bucket.drop())

for (const [what, change, expected] of [
  ['accepts the bucket and its key', {}, true],
  [
    'names the variables of a key that the store refuses',
    { secretAccessKey: 'another' },
    /S3_SECRET_ACCESS_KEY/,
  ],
  ['names the variable of a bucket that does not exist', { bucket: 'test-none' }, /S3_BUCKET/],
  ['accepts a store that is away', { endpoint: 'http://127.0.0.1:1' }, true],
] as const satisfies [string, Partial<BucketAddress>, unknown][]) {
  test(what, async () => {
    const store = createObjectStore({ ...bucket.address, ...change })
    const verdict = await createStoreCheck(store)()
    store.close()
    if (expected === true) assert.equal(verdict, true)
    else assert.match(String(verdict), expected)
  })
}

test('accepts a store that hangs, and asks no more after the first success', async () => {
  assert.equal(await createStoreCheck({ check: () => new Promise(() => {}) })(), true)
  let calls = 0
  const check = createStoreCheck({ check: async () => void calls++ })
  for (let probe = 0; probe < 3; probe++) assert.equal(await check(), true)
  assert.equal(calls, 1)
})
