import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { createObjectStore } from '@lapwing/object-store'
import { createStoreWatch } from '../store-watch.ts'
import { type Harness, harness, sampleFile } from '../test/harness.ts'
import { postForm } from '../test/post-form.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

test('replies with a form for exactly the announced file, valid for ten minutes', async () => {
  const { status, body } = await service.init('user-a', { size: 1234 })
  assert.equal(status, 200)
  const { sessionId, key, url, fields } = body as { [name: string]: string } & {
    fields: Record<string, string>
  }
  assert.equal(url, `${service.address.endpoint}/${service.address.bucket}`)
  assert.equal(fields.key, key)
  const { expiration, conditions } = JSON.parse(atob(fields.Policy!)) as {
    expiration: string
    conditions: unknown[]
  }
  const minutes = (Date.parse(expiration) - Date.now()) / 60_000
  assert.ok(minutes > 9 && minutes <= 10, `${minutes} minutes`)
  for (const condition of [
    { key },
    { bucket: service.address.bucket },
    ['content-length-range', 1234, 1234],
    { 'Content-Type': 'application/octet-stream' },
  ]) {
    assert.ok(
      conditions.some(stated => JSON.stringify(stated) === JSON.stringify(condition)),
      JSON.stringify(condition),
    )
  }
  assert.deepEqual(await service.readSession(sessionId!), {
    user_id: 'user-a',
    key,
    size: 1234,
    etag: null,
    state: 'open',
    completed_at: null,
  })
})

test('stores no name of a person, file or track', async () => {
  const { body } = await service.init('user-named', {
    filename: 'C:\\Users\\Jane Doe\\lap.ibt',
    track: 'somewhere',
  })
  assert.match(
    String(body.key),
    /^uploads\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  const rows = await service.db.selectFrom('upload_session').selectAll().execute()
  assert.doesNotMatch(JSON.stringify(rows), /Jane|lap\.ibt|somewhere/)
})

test('answers the same at the legacy address without a version', async () => {
  const body = { filename: 'a.ibt', size: 10, contentType: '' }
  const answer = await service.call('initUpload', { url: '/api/upload/init', as: 'user-legacy', body })
  assert.equal(answer.status, 200)
})

for (const [what, changes, status, code, detail] of [
  ['an empty file', { size: 0 }, 422, 'upload.empty', /empty/],
  [
    'a byte more than 100 MB',
    { size: 104_857_601 },
    413,
    'upload.too_large',
    /^File is larger than 100 MB\.$/,
  ],
  ['the largest safe integer as size', { size: Number.MAX_SAFE_INTEGER }, 413, 'upload.too_large', /100 MB/],
  ['no extension', { filename: 'lap' }, 415, 'upload.wrong_type', /^Only \.ibt files are supported\.$/],
  ['another extension', { filename: 'lap.ibt.zip' }, 415, 'upload.wrong_type', /ibt/],
  ['an extension with a space', { filename: 'lap.ibt ' }, 415, 'upload.wrong_type', /ibt/],
  ['an extension without its dot', { filename: 'lapibt' }, 415, 'upload.wrong_type', /ibt/],
  ['no name', { filename: '' }, 400, 'upload.bad_request', /filename/],
  [
    'a name of 1,001 characters',
    { filename: `${'a'.repeat(997)}.ibt` },
    400,
    'upload.bad_request',
    /filename/,
  ],
  ['a negative size', { size: -1 }, 400, 'upload.bad_request', /size/],
  ['half a byte', { size: 1.5 }, 400, 'upload.bad_request', /size/],
  ['a size that is text', { size: '1000' }, 400, 'upload.bad_request', /size/],
  ['null as size', { size: null }, 400, 'upload.bad_request', /size/],
  ['no size', { size: undefined }, 400, 'upload.bad_request', /size/],
  ['a field outside the contract', { key: 'uploads/mine' }, 400, 'upload.bad_request', /additional/i],
  ['a type of 201 characters', { contentType: 'a'.repeat(201) }, 400, 'upload.bad_request', /contentType/],
  ['20,000 characters of track', { track: 'a'.repeat(20_000) }, 413, 'upload.body_too_large', /larger/],
] as const) {
  test(`answers ${status} ${code} for ${what}, and creates no upload`, async () => {
    const before = await sessions()
    const answer = await service.init('user-bad', changes)
    assert.equal(answer.status, status)
    assert.equal(answer.body.code, code)
    assert.match(String(answer.body.detail), detail)
    assert.equal(await sessions(), before)
  })
}

for (const [what, changes] of [
  ['the largest file', { size: 104_857_600 }],
  ['a name in capitals', { filename: 'LAP.IBT' }],
  ['nothing but an extension', { filename: '.ibt' }],
  ['a name in another script', { filename: '鈴鹿サーキット.ibt' }],
] as const) {
  test(`answers 200 for ${what}`, async () => {
    assert.equal((await service.init('user-good', changes)).status, 200)
  })
}

test('answers 401 without a principal, and with a header that the gateway did not sign', async () => {
  const body = { filename: 'a.ibt', size: 10, contentType: '' }
  for (const headers of [{}, { 'x-lapwing-identity': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyLWEifQ.' }]) {
    const answer = await service.call('initUpload', { url: '/api/v1/upload/init', body, headers })
    assert.equal(answer.body.code, 'upload.unauthorized')
  }
})

test('answers 405 for another method, 415 for another type, and 400 for broken JSON', async () => {
  const wrong = await service.app.inject({ method: 'GET', url: '/api/v1/upload/init' })
  assert.equal(wrong.statusCode, 405)
  assert.equal(wrong.headers.allow, 'POST')
  const form = await service.call('initUpload', {
    url: '/api/v1/upload/init',
    as: 'user-a',
    body: 'size=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(form.body.code, 'upload.unsupported_media_type')
  const broken = await service.call('initUpload', { url: '/api/v1/upload/init', as: 'user-a', body: '{' })
  assert.equal(broken.body.code, 'upload.bad_request')
})

test('limits an account to twenty open uploads, also when all are announced at the same time', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => service.init('user-many')))
  assert.equal(answers.filter(({ status }) => status === 200).length, 20)
  const refused = answers.filter(({ body }) => body.code === 'upload.too_many_open')
  assert.equal(refused.length, 10)
  for (const { headers } of refused) assert.equal(headers['retry-after'], '600')
  assert.equal((await service.init('user-other')).status, 200)
})

test('allows another upload after one was completed or its form expired', async () => {
  const first = await service.announce('user-room', sampleFile)
  for (let open = 1; open < 20; open++) await service.init('user-room')
  assert.equal((await service.init('user-room')).status, 429)
  assert.equal(await postForm(first, sampleFile), 204)
  assert.equal((await service.complete('user-room', first)).status, 200)
  assert.equal((await service.init('user-room')).status, 200)
  assert.equal((await service.init('user-room')).status, 429)

  const started = service.clock.now
  service.clock.now = new Date(started.getTime() + 599_500)
  const late = await service.init('user-room')
  assert.equal(late.status, 429)
  assert.equal(late.headers['retry-after'], '1')
  service.clock.now = new Date(started.getTime() + 600_000)
  assert.equal((await service.init('user-room')).status, 200)
  service.clock.now = started
})

test('answers 503 and creates no upload while the store is down', async t => {
  const store = createObjectStore({ ...service.address, endpoint: 'http://127.0.0.1:1' })
  t.after(() => store.close())
  const withStoreDown = service.variant({
    store,
    storeWatch: createStoreWatch(store, createLogger('upload', 'silent')),
  })
  const before = await sessions()
  const answer = await withStoreDown.init('user-a')
  assert.equal(answer.status, 503)
  assert.equal(answer.body.code, 'upload.store_unavailable')
  assert.equal(answer.body.detail, 'Files cannot be stored at the moment. Please try again in a minute.')
  assert.equal(answer.headers['retry-after'], '5')
  assert.equal(await sessions(), before)
})

async function sessions(): Promise<number> {
  return (await service.db.selectFrom('upload_session').select('id').execute()).length
}
