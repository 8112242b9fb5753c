import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, afterEach, before, test } from 'node:test'
import { type BucketAddress, createObjectStore, type ObjectStore, prepareBucket } from '@lapwing/object-store'
import { type TestBucket, testBucket } from '@lapwing/object-store/testing'
import fc from 'fast-check'
import { type Part, postRaw, type RawPost, signPolicy } from './raw-form.ts'

/**
 * Proves how the bundled store treats forms that differ from the signed one. Lapwing inspects every object
 * later, but only the policy decides which clients can fill the bucket, and with how many bytes.
 */
let bucket: TestBucket
let otherAddress: BucketAddress
let otherStore: ObjectStore

before(async () => {
  bucket = await testBucket()
  otherAddress = { ...bucket.address, bucket: `${bucket.address.bucket}-other` }
  await prepareBucket(otherAddress, { origins: [] })
  otherStore = createObjectStore(otherAddress)
})

after(async () => {
  otherStore.close()
  await bucket.drop()
})

afterEach(async () => {
  for (const store of [bucket.store, otherStore]) await store.delete(await keysIn(store))
})

const size = 10
const key = 'uploads/0b9f7d4e-3c1a-4f5e-9d2b-6a7c8e9f0a1b'
const contentType = 'application/octet-stream'
const file: Part = { name: 'file', filename: 'session.ibt', value: 'ten bytes!' }

interface Form {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/** Creates a form as `initUpload` does. */
const formFor = (changes: { key?: string; size?: number; expiresInS?: number } = {}): Promise<Form> =>
  bucket.store.presignPost({ key, size, contentType, expiresInS: 600, ...changes })

async function keysIn(store: ObjectStore): Promise<string[]> {
  return (await store.list('')).objects.map(object => object.key)
}

async function stored(): Promise<string[]> {
  return [...(await keysIn(bucket.store)), ...(await keysIn(otherStore))]
}

function parts(fields: Readonly<Record<string, string>>): Part[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value }))
}

/** A change of a valid form. */
type Change = (form: Form) => RawPost | Promise<RawPost>

const withFields =
  (changes: Readonly<Record<string, string>>): Change =>
  ({ url, fields }) => ({ url, parts: [...parts({ ...fields, ...changes }), file] })

const without =
  (...names: readonly string[]): Change =>
  ({ url, fields }) => ({ url, parts: [...parts(fields).filter(({ name }) => !names.includes(name)), file] })

const withFile =
  (...files: readonly Part[]): Change =>
  ({ url, fields }) => ({ url, parts: [...parts(fields), ...files] })

const ofBytes = (count: number) => withFile({ ...file, value: new Uint8Array(count) })

/** Creates a form with another policy or scope, signed with our key. */
const signed =
  (change: {
    policy?: (stated: Stated) => object
    region?: string
    date?: string
    service?: string
    secret?: string
  }): Change =>
  ({ url, fields }) => {
    const [accessKeyId, date, region, service] = fields['X-Amz-Credential']!.split('/')
    const scope = {
      date: change.date ?? date!,
      region: change.region ?? region!,
      service: change.service ?? service!,
    }
    const credential = `${accessKeyId}/${scope.date}/${scope.region}/${scope.service}/aws4_request`
    const stated = JSON.parse(atob(fields.Policy!)) as Stated
    const conditions = stated.conditions.map(condition =>
      'X-Amz-Credential' in condition ? { 'X-Amz-Credential': credential } : condition,
    )
    const policy = btoa(JSON.stringify((change.policy ?? (same => same))({ ...stated, conditions })))
    return withFields({
      Policy: policy,
      'X-Amz-Credential': credential,
      'X-Amz-Signature': signPolicy(policy, {
        ...scope,
        secret: change.secret ?? bucket.address.secretAccessKey,
      }),
    })({ url, fields })
  }

interface Stated {
  readonly expiration: string
  readonly conditions: readonly (Record<string, string> | readonly unknown[])[]
}

const tampered =
  (change: (stated: Stated) => object): Change =>
  ({ url, fields }) =>
    withFields({ Policy: btoa(JSON.stringify(change(JSON.parse(atob(fields.Policy!)) as Stated))) })({
      url,
      fields,
    })

/** Forms that the store must reject, each with the status and code of its answer. */
const rejected: Record<string, readonly [Change, status: number, code: string]> = {
  // The key.
  'another key': [withFields({ key: 'uploads/another' }), 403, 'AccessDenied'],
  'the key of another service': [withFields({ key: 'laps/another' }), 403, 'AccessDenied'],
  'a key that leaves its prefix': [withFields({ key: `${key}/../another` }), 403, 'AccessDenied'],
  'a key that begins with a parent folder': [withFields({ key: `../other/${key}` }), 400, '400'],
  'a key with a slash before it': [withFields({ key: `/${key}` }), 403, 'AccessDenied'],
  'a key with a slash after it': [withFields({ key: `${key}/` }), 403, 'AccessDenied'],
  'a key in capitals': [withFields({ key: key.toUpperCase() }), 403, 'AccessDenied'],
  'a key that is escaped': [withFields({ key: encodeURIComponent(key) }), 403, 'AccessDenied'],
  'a key with a space': [withFields({ key: `${key} ` }), 403, 'AccessDenied'],
  'a key with a NUL': [withFields({ key: `${key}\0` }), 403, 'AccessDenied'],
  'the name of the file as key': [withFields({ key: 'uploads/\x24{filename}' }), 403, 'AccessDenied'],
  'an empty key': [withFields({ key: '' }), 400, 'InvalidArgument'],
  'no key': [without('key'), 400, 'InvalidArgument'],
  'the key, then another': [
    ({ url, fields }) => ({
      url,
      parts: [...parts(fields), { name: 'key', value: 'uploads/another' }, file],
    }),
    403,
    'AccessDenied',
  ],
  // The bucket.
  'another bucket': [
    form => ({ ...withFields({})(form), url: form.url.replace(/[^/]+$/, otherAddress.bucket) }),
    403,
    'AccessDenied',
  ],
  'another bucket, in the form too': [
    form => ({
      ...withFields({ bucket: otherAddress.bucket })(form),
      url: form.url.replace(/[^/]+$/, otherAddress.bucket),
    }),
    403,
    'AccessDenied',
  ],
  'a bucket that does not exist': [
    form => ({ ...withFields({})(form), url: form.url.replace(/[^/]+$/, 'not-there') }),
    404,
    'NoSuchBucket',
  ],
  'the address of the key': [
    form => ({ ...withFields({})(form), url: `${form.url}/${key}` }),
    405,
    'MethodNotAllowed',
  ],
  'the address of the store': [
    form => ({ ...withFields({})(form), url: new URL('/', form.url).href }),
    405,
    'MethodNotAllowed',
  ],
  // The size.
  'one byte too many': [ofBytes(size + 1), 400, 'EntityTooLarge'],
  'one byte too few': [ofBytes(size - 1), 400, 'EntityTooSmall'],
  'an empty file': [ofBytes(0), 400, 'EntityTooSmall'],
  'a mebibyte': [ofBytes(1024 * 1024), 400, 'EntityTooLarge'],
  'one byte too many, in chunks': [
    form => ({ ...ofBytes(size + 1)(form), isChunked: true }),
    400,
    'InvalidRequest',
  ],
  'a mebibyte, in chunks': [
    form => ({ ...ofBytes(1024 * 1024)(form), isChunked: true }),
    400,
    'InvalidRequest',
  ],
  // The type.
  'another type': [withFields({ 'Content-Type': 'text/html' }), 403, 'AccessDenied'],
  'the type in capitals': [withFields({ 'Content-Type': 'Application/Octet-Stream' }), 403, 'AccessDenied'],
  'the type and a charset': [
    withFields({ 'Content-Type': `${contentType}; charset=utf-8` }),
    403,
    'AccessDenied',
  ],
  'an empty type': [withFields({ 'Content-Type': '' }), 403, 'AccessDenied'],
  'no type': [without('Content-Type'), 403, 'AccessDenied'],
  // Missing fields.
  'no policy': [without('Policy'), 400, 'InvalidArgument'],
  'no signature': [without('X-Amz-Signature'), 400, 'InvalidArgument'],
  'no credential': [without('X-Amz-Credential'), 400, 'InvalidArgument'],
  'no date': [without('X-Amz-Date'), 400, 'InvalidArgument'],
  'no algorithm': [without('X-Amz-Algorithm'), 400, 'InvalidArgument'],
  'no signed field': [
    without('Policy', 'X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Algorithm'),
    403,
    'AccessDenied',
  ],
  'nothing but the file': [({ url }) => ({ url, parts: [file] }), 400, 'InvalidArgument'],
  // Fields that the policy does not name.
  'an ACL': [withFields({ acl: 'public-read' }), 403, 'AccessDenied'],
  'a note': [withFields({ 'x-amz-meta-note': 'hello' }), 403, 'AccessDenied'],
  'a redirect to another page': [
    withFields({ success_action_redirect: 'http://evil.example/' }),
    403,
    'AccessDenied',
  ],
  'another status': [withFields({ success_action_status: '200' }), 403, 'AccessDenied'],
  'a disposition': [withFields({ 'Content-Disposition': 'inline' }), 403, 'AccessDenied'],
  'an encoding': [withFields({ 'Content-Encoding': 'gzip' }), 403, 'AccessDenied'],
  'a cache lifetime': [withFields({ 'Cache-Control': 'max-age=31536000' }), 403, 'AccessDenied'],
  tags: [withFields({ tagging: '<Tagging><TagSet></TagSet></Tagging>' }), 403, 'AccessDenied'],
  'a storage class': [withFields({ 'x-amz-storage-class': 'GLACIER' }), 403, 'AccessDenied'],
  'a redirect of the object': [
    withFields({ 'x-amz-website-redirect-location': 'http://evil.example/' }),
    403,
    'AccessDenied',
  ],
  'an unknown field': [withFields({ lapwing: 'hello' }), 403, 'AccessDenied'],
  // The signature and the signed values.
  'a signature with one other digit': [
    form => {
      const signature = form.fields['X-Amz-Signature']!
      const digit = signature.startsWith('0') ? '1' : '0'
      return withFields({ 'X-Amz-Signature': digit + signature.slice(1) })(form)
    },
    403,
    'SignatureDoesNotMatch',
  ],
  'half a signature': [
    form => withFields({ 'X-Amz-Signature': form.fields['X-Amz-Signature']!.slice(0, 32) })(form),
    403,
    'SignatureDoesNotMatch',
  ],
  'an empty signature': [withFields({ 'X-Amz-Signature': '' }), 403, 'SignatureDoesNotMatch'],
  'a signature by another secret': [signed({ secret: 'another secret' }), 403, 'SignatureDoesNotMatch'],
  'a policy for more bytes under the old signature': [
    tampered(({ expiration, conditions }) => ({
      expiration,
      conditions: conditions.map(condition =>
        Array.isArray(condition) ? ['content-length-range', 0, 1_000_000] : condition,
      ),
    })),
    403,
    'SignatureDoesNotMatch',
  ],
  'a policy with a later expiry under the old signature': [
    tampered(stated => ({
      ...stated,
      expiration: '2099-01-01T00:00:00Z',
    })),
    403,
    'SignatureDoesNotMatch',
  ],
  'a policy without conditions under the old signature': [
    tampered(({ expiration }) => ({ expiration, conditions: [] })),
    403,
    'SignatureDoesNotMatch',
  ],
  'a policy that is no JSON': [withFields({ Policy: btoa('{') }), 403, 'SignatureDoesNotMatch'],
  'a policy that is no base64': [withFields({ Policy: '!!!' }), 403, 'SignatureDoesNotMatch'],
  'the policy of another file': [
    async form => {
      const { key: _key, ...others } = (await formFor({ key: 'uploads/another' })).fields
      return withFields(others)(form)
    },
    403,
    'AccessDenied',
  ],
  'the whole form of a larger file': [
    async form => {
      const { Policy: policy } = (await formFor({ size: 1000 })).fields
      return { ...ofBytes(1000)({ ...form, fields: { ...form.fields, Policy: policy! } }) }
    },
    403,
    'SignatureDoesNotMatch',
  ],
  'another algorithm': [withFields({ 'X-Amz-Algorithm': 'AWS4-HMAC-SHA1' }), 400, 'InvalidArgument'],
  'the algorithm "none"': [withFields({ 'X-Amz-Algorithm': 'none' }), 400, 'InvalidArgument'],
  'an unknown access key': [
    form =>
      withFields({ 'X-Amz-Credential': form.fields['X-Amz-Credential']!.replace(/^[^/]+/, 'nobody') })(form),
    404,
    'XAdminUserNotFound',
  ],
  'a credential without its scope': [withFields({ 'X-Amz-Credential': 'test' }), 400, 'InvalidArgument'],
  'a credential of another day': [
    form =>
      withFields({ 'X-Amz-Credential': form.fields['X-Amz-Credential']!.replace(/\/\d{8}\//, '/20200101/') })(
        form,
      ),
    403,
    'SignatureDoesNotMatch',
  ],
  'another date': [withFields({ 'X-Amz-Date': '20200101T000000Z' }), 403, 'AccessDenied'],
  'an invalid date': [withFields({ 'X-Amz-Date': 'yesterday' }), 400, 'InvalidArgument'],
  'another region, correctly signed': [signed({ region: 'eu-central-1' }), 400, 'InvalidArgument'],
  'another service, correctly signed': [signed({ service: 'ec2' }), 400, 'InvalidArgument'],
  // Time.
  'a signed policy without expiry': [
    signed({ policy: ({ conditions }) => ({ conditions }) }),
    400,
    'InvalidPolicyDocument',
  ],
  'a signed policy with an invalid expiry': [
    signed({ policy: stated => ({ ...stated, expiration: 'tomorrow' }) }),
    400,
    'InvalidPolicyDocument',
  ],
  'a signed policy that has expired': [
    signed({ policy: stated => ({ ...stated, expiration: '2026-01-01T00:00:00Z' }) }),
    403,
    'AccessDenied',
  ],
  // The shape of the form.
  'no file': [({ url, fields }) => ({ url, parts: parts(fields) }), 400, 'InvalidArgument'],
  'two files': [withFile(file, { ...file, value: 'ten others' }), 400, 'EntityTooLarge'],
  'a file and a larger one': [
    withFile(file, { ...file, value: new Uint8Array(1024 * 1024) }),
    400,
    'EntityTooLarge',
  ],
  'a field of a mebibyte': [withFields({ 'x-amz-meta-note': 'a'.repeat(1024 * 1024) }), 403, 'AccessDenied'],
  'a body that is no form': [
    form => ({ ...withFields({})(form), contentType: 'application/x-www-form-urlencoded' }),
    412,
    'PreconditionFailed',
  ],
  'a form with the type of JSON': [
    form => ({ ...withFields({})(form), contentType: 'application/json' }),
    412,
    'PreconditionFailed',
  ],
  'a form without its boundary': [
    form => ({ ...withFields({})(form), contentType: 'multipart/form-data' }),
    400,
    'MalformedPOSTRequest',
  ],
  'a form that breaks off in its file': [
    form => ({ ...withFields({})(form), cutBytes: 40 }),
    500,
    'InternalError',
  ],
  'a form that breaks off in its fields': [
    form => ({ ...withFields({})(form), cutBytes: 400 }),
    500,
    'InternalError',
  ],
  'the file first, one byte too many': [
    ({ url, fields }) => ({ url, parts: [{ ...file, value: 'eleven bytes' }, ...parts(fields)] }),
    400,
    'EntityTooLarge',
  ],
  'the file first, under another key': [
    ({ url, fields }) => ({ url, parts: [file, ...parts({ ...fields, key: 'uploads/another' })] }),
    403,
    'AccessDenied',
  ],
  'the file before a wrong signature': [
    ({ url, fields }) => ({ url, parts: [file, ...parts({ ...fields, 'X-Amz-Signature': '0'.repeat(64) })] }),
    403,
    'SignatureDoesNotMatch',
  ],
  'a file under another name, one byte too many': [
    withFile({ ...file, name: 'upload', value: 'eleven bytes' }),
    400,
    'EntityTooLarge',
  ],
  'the store’s own form after its expiry': [
    async () => withFields({})(await formFor({ expiresInS: -1 })),
    403,
    'AccessDenied',
  ],
  // Requests without the form.
  'the same form as a PUT': [
    form => ({ ...withFields({})(form), method: 'PUT', url: `${form.url}/${key}` }),
    403,
    'AccessDenied',
  ],
  'an empty PUT': [form => ({ url: `${form.url}/another`, method: 'PUT', parts: [] }), 403, 'AccessDenied'],
}

assert.ok(Object.keys(rejected).length >= 40)

for (const [what, [change, status, code]] of Object.entries(rejected)) {
  test(`rejects and does not store: ${what}`, async () => {
    const answer = await postRaw(await change(await formFor()))
    assert.deepEqual(answer, { status, code })
    assert.deepEqual(await stored(), [])
  })
}

/** Forms that differ from the signed one, but can store only the announced file. */
const accepted: Record<string, Change> = {
  'the form as it is': withFields({}),
  'a file with another name': withFile({ ...file, filename: '../../etc/passwd' }),
  'a file in capitals': withFile({ ...file, name: 'FILE' }),
  'a file under another name': withFile({ ...file, name: 'upload' }),
  'fields in another order': ({ url, fields }) => ({ url, parts: [...parts(fields).reverse(), file] }),
  'fields under names in capitals': ({ url, fields }) => ({
    url,
    parts: [...parts(fields).map(part => ({ ...part, name: part.name.toUpperCase() })), file],
  }),
  // Amazon ignores fields after the file and rejects these forms. Here the policy covers such fields too.
  'the file first': ({ url, fields }) => ({ url, parts: [file, ...parts(fields)] }),
  'the file before its signature': ({ url, fields }) => {
    const { 'X-Amz-Signature': signature, ...rest } = fields
    return { url, parts: [...parts(rest), file, ...parts({ 'X-Amz-Signature': signature! })] }
  },
  'another key before the key': ({ url, fields }) => ({
    url,
    parts: [{ name: 'key', value: 'uploads/another' }, ...parts(fields), file],
  }),
}

for (const [what, change] of Object.entries(accepted)) {
  test(`accepts as the announced file: ${what}`, async () => {
    assert.deepEqual(await postRaw(await change(await formFor())), { status: 204, code: '' })
    await onlyTheFile('ten bytes!')
  })
}

test('uses the same one of two equal fields in different case for the policy and for the object', async () => {
  const form = await formFor()
  // Each post can use another one of the two.
  for (let post = 0; post < 50; post++) {
    const again = { name: post % 2 === 0 ? 'KEY' : 'Key', value: 'uploads/another' }
    const answer = await postRaw({ url: form.url, parts: [...parts(form.fields), again, file] })
    if (answer?.status === 204) await onlyTheFile('ten bytes!')
    else assert.deepEqual(answer, { status: 403, code: 'AccessDenied' })
    const keys = await stored()
    assert.ok(keys.length === 0 || answer?.status === 204)
    await bucket.store.delete(keys)
  }
})

test('replaces the file and its ETag if a valid form is used again', async () => {
  const form = await formFor()
  await postRaw(await withFields({})(form))
  const { etag } = await bucket.store.head(key)
  await postRaw(await withFile({ ...file, value: 'ten others' })(form))
  await onlyTheFile('ten others')
  assert.notEqual((await bucket.store.head(key)).etag, etag)
})

test('rejects reading, listing and deleting without credentials', async () => {
  const form = await formFor()
  await postRaw(await withFields({})(form))
  for (const [method, path] of [
    ['GET', `/${key}`],
    ['HEAD', `/${key}`],
    ['DELETE', `/${key}`],
    ['GET', '?list-type=2'],
    ['DELETE', ''],
    ['PUT', '?cors'],
  ] as const) {
    const answer = await postRaw({ method, url: `${form.url}${path}`, parts: [] })
    assert.equal(answer?.status, 403, `${method} ${path}`)
  }
  await onlyTheFile('ten bytes!')
})

/** Small changes of a valid form. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('alter' as const), at: fc.nat(), by: fc.nat(), to: fc.nat({ max: 93 }) }),
  fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(), value: fc.string({ maxLength: 20 }) }),
  fc.record({ kind: fc.constant('swap' as const), at: fc.nat(), by: fc.nat() }),
  fc.record({
    kind: fc.constant('rename' as const),
    at: fc.nat(),
    name: fc.stringMatching(/^[a-zA-Z-]{1,12}$/),
  }),
  fc.record({ kind: fc.constant('resize' as const), bytes: fc.nat({ max: 40 }) }),
)

type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never

function mutate(sent: readonly Part[], change: Mutation): Part[] {
  if (change.kind === 'resize') {
    return sent.map(part =>
      part.filename === undefined ? part : { ...part, value: 'x'.repeat(change.bytes) },
    )
  }
  const at = change.at % sent.length
  const part = sent[at]!
  switch (change.kind) {
    case 'drop':
      return sent.toSpliced(at, 1)
    case 'alter': {
      const text = String(part.value)
      const index = change.by % Math.max(1, text.length)
      const value = text.slice(0, index) + String.fromCharCode(33 + change.to) + text.slice(index + 1)
      return sent.with(at, { ...part, value })
    }
    case 'repeat':
      return sent.toSpliced(at + 1, 0, { ...part, value: change.value })
    case 'swap': {
      const other = change.by % sent.length
      return sent.with(at, sent[other]!).with(other, part)
    }
    case 'rename':
      return sent.with(at, { ...part, name: change.name })
  }
}

test('stores the one announced file or nothing for random changes of a form', async () => {
  const form = await formFor()
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async changes => {
      const sent = changes.reduce<Part[]>(
        (sofar, change) => (sofar.length === 0 ? sofar : mutate(sofar, change)),
        [...parts(form.fields), file],
      )
      const answer = await postRaw({ url: form.url, parts: sent })
      const keys = await stored()
      if (answer?.status !== 204) return assert.deepEqual(keys, [])
      assert.deepEqual(keys, [key])
      assert.equal((await bucket.store.head(key)).size, size)
      await bucket.store.delete(keys)
    }),
    { numRuns: 200 },
  )
})

async function onlyTheFile(content: string): Promise<void> {
  assert.deepEqual(await stored(), [key])
  const { body } = await bucket.store.get(key)
  assert.equal(String(await buffer(body)), content)
}
