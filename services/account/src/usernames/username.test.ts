import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDefaultUsername } from '@lapwing/usernames'
import { defaultNameOf } from '@lapwing/usernames/default-name'
import { type Harness, harness } from '../test/harness.ts'
import { ensureProfile } from './ensure-profile.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const get = (as?: string) =>
  service.call('getUsername', { method: 'GET', url: '/api/v1/auth/username', ...(as ? { as } : {}) })
const set = (as: string, username: unknown) =>
  service.call('setUsername', { method: 'POST', url: '/api/v1/auth/username', as, body: { username } })
const check = (username: string, as?: string) =>
  service.call('checkUsername', {
    method: 'GET',
    url: `/api/auth/username/check/${encodeURIComponent(username)}`,
    ...(as ? { as } : {}),
  })

test('gives a new person a default name, and the same one again later', async () => {
  const first = await get('user-first')
  assert.equal(first.status, 200)
  assert.equal(first.body.is_default, true)
  assert.ok(isDefaultUsername(String(first.body.username)))
  assert.deepEqual((await get('user-first')).body, first.body)
})

test('forbids browsers to cache a username', async () => {
  assert.equal((await get('user-a')).headers['cache-control'], 'no-store')
})

test('creates one name if fifty first requests arrive at the same time', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => get('user-many')))
  assert.equal(new Set(answers.map(answer => answer.body.username)).size, 1)
})

test('draws another default name if the first one is taken', async () => {
  const names = ['useraaaaaaa', 'useraaaaaaa', 'userbbbbbbb']
  const drawName = () => names.shift()!
  const publish = async () => {}
  assert.equal(
    (await ensureProfile(service.db, 'user-drawn-1', { publish, drawName })).username,
    'useraaaaaaa',
  )
  assert.equal(
    (await ensureProfile(service.db, 'user-drawn-2', { publish, drawName })).username,
    'userbbbbbbb',
  )
})

test('lets nobody take the generated name of a driver who has not opened a page yet', async () => {
  const name = defaultNameOf('user-to-come')
  const taken = await set('user-sniper', name.toUpperCase())
  assert.deepEqual([taken.status, taken.body.code], [409, 'account.username_taken'])
  for (const as of ['user-sniper', undefined]) {
    const { body } = await check(name, as)
    assert.deepEqual(body, { available: false, valid: true, reason: 'Username is already taken' })
  }
  assert.equal((await get('user-to-come')).body.username, name)
  // Back to the own generated name, after another one.
  assert.equal((await set('user-to-come', 'LateBraker99')).status, 200)
  assert.equal((await check(name, 'user-to-come')).body.available, true)
  assert.equal((await set('user-to-come', name)).status, 200)
})

test('trims a name, keeps its case and marks it as chosen', async () => {
  assert.deepEqual((await set('user-a', '  ApexHunter ')).body, { username: 'ApexHunter', is_default: false })
  assert.deepEqual((await get('user-a')).body, { username: 'ApexHunter', is_default: false })
})

test('answers the same at the legacy address without a version', async () => {
  const answer = await service.call('getUsername', { method: 'GET', url: '/api/auth/username', as: 'user-a' })
  assert.equal(answer.body.username, 'ApexHunter')
})

test('answers 409 if another driver has the name in another case; a driver may change the case of their own', async () => {
  const taken = await set('user-b', 'apexhunter')
  assert.equal(taken.status, 409)
  assert.equal(taken.body.code, 'account.username_taken')
  assert.equal(taken.body.detail, 'Username is already taken')
  assert.equal((await set('user-a', 'apexHUNTER')).status, 200)
})

test('accepts exactly one of fifty people who choose one name at the same time', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      set(`user-race-${index}`, index % 2 ? 'PolePosition' : 'poleposition'),
    ),
  )
  assert.equal(answers.filter(answer => answer.status === 200).length, 1)
  assert.equal(answers.filter(answer => answer.body.code === 'account.username_taken').length, 49)
  const holders = await service.db
    .selectFrom('profile')
    .select('user_id')
    .where('username_key', '=', 'poleposition')
    .execute()
  assert.equal(holders.length, 1)
})

test('publishes a change of name, but not a rejected one', async () => {
  const count = async () => (await service.db.selectFrom('event_outbox').select('id').execute()).length
  const before = await count()
  await set('user-a', 'apexhunter2')
  assert.equal(await count(), before + 1)
  await set('user-a', 'poleposition')
  assert.equal(await count(), before + 1)
})

for (const [name, detail] of [
  ['', 'Username is required'],
  ['ab', 'Username must be at least 3 characters long'],
  ['a'.repeat(21), 'Username must be at most 20 characters long'],
  ['9lives', 'Username must start with a letter'],
  ['semi;colon', 'Username can only contain letters, numbers, underscores, and hyphens'],
  ['shithead', 'Username contains inappropriate content'],
] as const) {
  test(`answers 422 for "${name}": ${detail}`, async () => {
    const answer = await set('user-rules', name)
    assert.equal(answer.status, 422)
    assert.equal(answer.body.code, 'account.username_invalid')
    assert.equal(answer.body.detail, detail)
    assert.deepEqual((await check(name === '' ? ' ' : name)).body, {
      available: false,
      valid: false,
      reason: detail,
    })
  })
}

test('rejects a name that looks like staff, in the check and on saving', async () => {
  for (const name of ['Admin', 'm0derator', 'Lapwing_Support', 'JohnAdmin']) {
    assert.deepEqual((await check(name)).body, {
      available: false,
      valid: true,
      reason: 'Username is already taken',
    })
    const answer = await set('user-staff', name)
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.detail],
      [409, 'account.username_taken', 'Username is already taken'],
    )
  }
})

test('lets a driver keep such an older name, and gives it to nobody else', async () => {
  await get('user-early')
  await service.db
    .updateTable('profile')
    .set({ username: 'Admin_Early', username_key: 'admin_early' })
    .where('user_id', '=', 'user-early')
    .execute()
  assert.equal((await get('user-early')).body.username, 'Admin_Early')
  assert.deepEqual((await check('admin_early', 'user-early')).body, {
    available: true,
    valid: true,
    reason: '',
  })
  assert.equal((await set('user-early', 'admin_EARLY')).status, 200)
  assert.equal((await set('user-late', 'Admin_Early')).status, 409)
  assert.equal((await set('user-early', 'Admin_Other')).status, 409)
})

test('reports a name as free, taken or one’s own', async () => {
  assert.deepEqual((await check('nobody-has-it')).body, { available: true, valid: true, reason: '' })
  assert.deepEqual((await check('PolePosition')).body, {
    available: false,
    valid: true,
    reason: 'Username is already taken',
  })
  assert.deepEqual((await check('apexhunter2', 'user-a')).body, { available: true, valid: true, reason: '' })
})

test('answers 401 without a principal and with a header that the gateway did not sign', async () => {
  assert.equal((await get()).body.code, 'account.unauthorized')
  const forged = await service.call('getUsername', {
    method: 'GET',
    url: '/api/v1/auth/username',
    headers: { 'x-lapwing-identity': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyLWEifQ.' },
  })
  assert.equal(forged.status, 401)
})

for (const [what, body, status] of [
  ['no JSON', '{', 400],
  ['nothing in it', '', 400],
  ['a list', '[]', 400],
  ['another type', JSON.stringify({ username: 7 }), 400],
  ['a missing field', JSON.stringify({}), 400],
  ['an extra field', JSON.stringify({ username: 'abc', is_default: true }), 400],
  ['1,001 characters', JSON.stringify({ username: 'a'.repeat(1001) }), 400],
  ['100,000 characters', JSON.stringify({ username: 'a'.repeat(100_000) }), 413],
] as const) {
  test(`answers ${status} for a body with ${what}`, async () => {
    const answer = await service.call('setUsername', {
      method: 'POST',
      url: '/api/v1/auth/username',
      as: 'user-a',
      body,
    })
    assert.equal(answer.status, status)
  })
}

test('rejects another method and lists the allowed ones', async () => {
  const answer = await service.app.inject({ method: 'PUT', url: '/api/v1/auth/username' })
  assert.equal(answer.statusCode, 405)
  assert.equal(answer.headers.allow, 'GET, HEAD, POST')
})
