import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { aFile } from '../test/a-file.ts'
import { type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

test('answers 201 with the best lap of a first file, on both boards', async () => {
  const { status, body } = await service.uploadAndIngest(
    'ann',
    aFile({ lapTimesS: [20, 19.5, 21], driverId: 11 }),
  )
  assert.equal(status, 201)
  const lap = await service.db
    .selectFrom('lap')
    .selectAll()
    .where('id', '=', String(body.lap_id))
    .executeTakeFirst()
  assert.equal(lap?.user_id, 'ann')
  assert.equal(lap?.time_ms, 19_500)
  assert.deepEqual(body, {
    ok: true,
    ingest_id: body.ingest_id,
    lap_id: lap?.id,
    context_id: 1,
    best_lap_time_ms: 19_500,
    previous_best_ms: null,
    rank: 1,
    boards: ['complete', 'clean'],
  })
  assert.deepEqual(
    service.leaderboard.entries('round-ring', 'complete').map(entry => entry.lap_id),
    [lap?.id],
  )
})

test('answers 201 with the previous best and the rank for a better file', async () => {
  await service.uploadAndIngest('ben', aFile({ lapTimesS: [19.2], driverId: 12 }))
  const { status, body } = await service.uploadAndIngest('ann', aFile({ lapTimesS: [19.4], driverId: 11 }))
  assert.equal(status, 201)
  assert.equal(body.best_lap_time_ms, 19_400)
  assert.equal(body.previous_best_ms, 19_500)
  assert.equal(body.rank, 2)
})

for (const lapTimesS of [[19.4], [22, 25]]) {
  test(`answers 200 not_faster for laps of ${lapTimesS} s: an equal time came later`, async () => {
    const { status, body } = await service.uploadAndIngest('ann', aFile({ lapTimesS, driverId: 11 }))
    assert.equal(status, 200)
    assert.deepEqual(body, { ok: true, ingest_id: body.ingest_id, skipped: 'not_faster', context_id: 1 })
  })
}

test('answers 200 no_complete_lap if a lap went through the pits, and stores the laps with their verdicts', async () => {
  const cut = aFile({
    lapTimesS: [20],
    driverId: 13,
    spoil: ({ channel, lineRows: [first] }) => channel('OnPitRoad').fill(1, first! + 200, first! + 400),
  })
  const { status, body } = await service.uploadAndIngest('cut', cut)
  assert.equal(status, 200)
  assert.equal(body.skipped, 'no_complete_lap')
  const laps = await service.db
    .selectFrom('lap')
    .selectAll()
    .where('user_id', '=', 'cut')
    .orderBy('recorded_at')
    .execute()
  assert.deepEqual(
    laps.map(lap => [lap.is_completed, lap.counts]),
    [
      [false, false],
      [false, false],
      [false, false],
    ],
  )
  assert.ok(laps[1]!.reasons.includes('OUT'))
})

test('answers 201 for the clean board alone if an earlier, faster lap left the track', async () => {
  const offTrack = aFile({
    lapTimesS: [19],
    driverId: 14,
    spoil: ({ channel, lineRows: [first] }) =>
      channel('PlayerTrackSurface').fill(0, first! + 300, first! + 360),
  })
  const first = await service.uploadAndIngest('dirty', offTrack)
  assert.deepEqual(first.body.boards, ['complete'])
  const second = await service.uploadAndIngest('dirty', aFile({ lapTimesS: [20], driverId: 14 }))
  assert.equal(second.status, 201)
  assert.deepEqual(second.body.boards, ['clean'])
  assert.equal(second.body.best_lap_time_ms, 20_000)
  assert.equal(second.body.previous_best_ms, null)
})

test('has one effect and one answer for twenty calls at the same time and one later', async () => {
  const given = await service.upload.addFile('often', aFile({ driverId: 15 }))
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.ingest('often', given)))
  answers.push(await service.ingest('often', given))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  const rows = await service.db
    .selectFrom('ingest')
    .select('attempt')
    .where('user_id', '=', 'often')
    .execute()
  assert.deepEqual(rows, [{ attempt: 1 }])
  const laps = await service.db.selectFrom('lap').select('id').where('user_id', '=', 'often').execute()
  assert.equal(laps.length, 4)
})

test('answers 200 already_ingested for the same file in another upload', async () => {
  const file = aFile({ driverId: 16, startedAt: new Date('2026-02-02T00:00:00Z') })
  assert.equal((await service.uploadAndIngest('again', file)).status, 201)
  const { status, body } = await service.uploadAndIngest('again', file)
  assert.equal(status, 200)
  assert.equal(body.skipped, 'already_ingested')
  assert.equal(body.context_id, 1)
})

test('answers 409 for a file of another account, and stores the conflict for a moderator', async () => {
  const file = aFile({ driverId: null, startedAt: new Date('2026-02-03T00:00:00Z') })
  await service.uploadAndIngest('owner', file)
  const { status, body } = await service.uploadAndIngest('thief', file)
  assert.equal(status, 409)
  assert.equal(body.code, 'upload.belongs_to_another_driver')
  assert.doesNotMatch(JSON.stringify(body), /owner|thief/)
  assert.deepEqual(await conflictsOf('file'), [{ user_id: 'thief', owner_user_id: 'owner' }])
  for (const table of ['lap', 'file', 'driver_claim'] as const) {
    const rows = await service.db.selectFrom(table).select('user_id').where('user_id', '=', 'thief').execute()
    assert.deepEqual(rows, [], table)
  }
})

test('answers 201 for a file with another account’s driver number, and stores the conflict for a moderator', async () => {
  assert.equal((await service.uploadAndIngest('holder', aFile({ driverId: 17 }))).status, 201)
  const { status, body } = await service.uploadAndIngest('claimant', aFile({ driverId: 17 }))
  assert.equal(status, 201)
  assert.doesNotMatch(JSON.stringify(body), /holder|claimant/)
  assert.deepEqual(await conflictsOf('driver'), [{ user_id: 'claimant', owner_user_id: 'holder' }])
})

function conflictsOf(kind: 'file' | 'driver') {
  return service.db
    .selectFrom('conflict')
    .select(['user_id', 'owner_user_id'])
    .where('kind', '=', kind)
    .execute()
}

test('binds nothing for files without a driver, or of a team', async () => {
  for (const options of [{ driverId: null }, { driverId: 18, teamId: 4 }]) {
    assert.equal((await service.uploadAndIngest('one of them', aFile(options))).status < 300, true)
    assert.equal((await service.uploadAndIngest('another', aFile(options))).status < 300, true)
  }
  const bound = await service.db
    .selectFrom('sim_driver')
    .selectAll()
    .where('sim_user_id', '=', '18')
    .execute()
  assert.deepEqual(bound, [])
})

test('binds nothing for a file without a lap that counts', async () => {
  const refused = await service.uploadAndIngest(
    'squatter',
    aFile({ driverId: 25, lapTimesS: [20], scores: [-1] }),
  )
  assert.equal(refused.body.skipped, 'no_complete_lap')
  assert.equal((await service.uploadAndIngest('the driver', aFile({ driverId: 25 }))).status, 201)
  const claims = await service.db
    .selectFrom('driver_claim')
    .select('user_id')
    .where('sim_user_id', '=', '25')
    .execute()
  assert.deepEqual(claims, [{ user_id: 'the driver' }])
})

test('answers the same 404 for an upload that is unknown, another account’s, removed, or has another key', async () => {
  const given = await service.upload.addFile('somebody', aFile({ driverId: 19 }))
  const removed = service.upload.addSession({ user_id: 'me', state: 'removed' })
  const answers = [
    await service.ingest('me', { sessionId: randomUUID(), key: given.key }),
    await service.ingest('me', given),
    await service.ingest('me', removed),
    await service.ingest('somebody', { ...given, key: 'uploads/other' }),
  ]
  await service.ingest('somebody', given)
  answers.push(
    await service.ingest('me', given),
    await service.ingest('somebody', { ...given, key: 'uploads/other' }),
  )
  for (const { status, body } of answers) {
    assert.equal(status, 404)
    assert.equal(body.code, 'ingest.upload_not_found')
    assert.equal(body.detail, answers[0]!.body.detail)
  }
})

test('answers 409 for an upload that is open', async () => {
  const given = service.upload.addSession({ user_id: 'early', state: 'open', etag: null })
  const { status, body } = await service.ingest('early', given)
  assert.equal(status, 409)
  assert.equal(body.code, 'ingest.not_completed')
})

test('answers 429 to an account with fifty waiting files, and to no other', async () => {
  await service.db
    .insertInto('ingest')
    .values(
      Array.from({ length: 50 }, () => ({
        id: randomUUID(),
        user_id: 'hoarder',
        upload_session_id: randomUUID(),
        key: `uploads/${randomUUID()}`,
        etag: '"x"',
        size: 1,
        not_before: new Date('2100-01-01'),
      })),
    )
    .execute()
  const refused = await service.uploadAndIngest('hoarder', aFile({ driverId: 23 }))
  assert.deepEqual([refused.status, refused.body.code], [429, 'ingest.rate_limited'])
  assert.equal(refused.headers['retry-after'], '10')
  assert.equal((await service.uploadAndIngest('beside', aFile({ driverId: 24 }))).status, 201)
  await service.db
    .deleteFrom('ingest')
    .where('id', 'in', eb => eb.selectFrom('ingest').select('id').where('user_id', '=', 'hoarder').limit(1))
    .execute()
  assert.equal((await service.uploadAndIngest('hoarder', aFile({ driverId: 23 }))).status, 201)
})

test('answers 401 without a session', async () => {
  const { status, body } = await service.call('ingestBestFromSession', {
    method: 'POST',
    url: '/api/v1/laps/ingest-best-from-session',
    body: { sessionId: randomUUID(), key: 'uploads/x' },
  })
  assert.equal(status, 401)
  assert.equal(body.code, 'ingest.unauthorized')
})

for (const body of [
  {},
  { sessionId: 'no uuid', key: 'x' },
  { sessionId: randomUUID(), key: '' },
  { sessionId: randomUUID(), key: 'x'.repeat(201) },
  { sessionId: randomUUID(), key: 'x', more: 1 },
  '[',
]) {
  test(`answers 400 for ${JSON.stringify(body).slice(0, 60)}`, async () => {
    const answer = await service.call('ingestBestFromSession', {
      method: 'POST',
      url: '/api/laps/ingest-best-from-session',
      as: 'me',
      body,
    })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.code, 'ingest.bad_request')
  })
}

for (const mood of ['failing', 'silent'] as const) {
  test(`answers 503 and writes no row while upload is ${mood}`, async () => {
    const given = await service.upload.addFile('patient', aFile({ driverId: 20 }))
    service.upload.mood = mood
    const { status, body, headers } = await service.ingest('patient', given)
    service.upload.mood = 'well'
    assert.equal(status, 503)
    assert.equal(body.code, 'ingest.busy')
    assert.ok(headers['retry-after'])
    const rows = await service.db.selectFrom('ingest').select('id').where('user_id', '=', 'patient').execute()
    assert.deepEqual(rows, [])
  })
}

test('does not ask upload again about a known upload', async () => {
  const given = await service.upload.addFile('known', aFile({ driverId: 21 }))
  await service.ingest('known', given)
  const asked = service.upload.asked()
  await service.ingest('known', given)
  assert.equal(service.upload.asked(), asked)
})
