import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { acquireAccountLock } from '@lapwing/db'
import { createLogger } from '@lapwing/http'
import { sql } from 'kysely'
import { createLeaderboardClient } from '../clients/leaderboard-client.ts'
import type { FileCombination, JudgedLap } from '../judging/judged-file.ts'
import { countHeldLaps, decideLap, listHeldLaps } from '../moderation/review-laps.ts'
import { refreshStanding } from '../standings/standing.repository.ts'
import { publishStandings } from '../sweeping/publish-standings.ts'
import { aFile } from '../test/a-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aCombination, recordFile } from '../test/record-file.ts'
import { runModerate } from '../test/run-moderate.ts'
import { internalKey } from '../test/serve.ts'
import { markElsewhere, unmarkElsewhere } from '../tracks/track-location.repository.ts'

let service: Harness
let client: ReturnType<typeof createLeaderboardClient>

before(async () => {
  service = await harness()
  client = createLeaderboardClient({
    url: service.leaderboard.url,
    key: new TextEncoder().encode(internalKey),
  })
})

after(() => service.close())

/** Returns the combination of a test's own track. */
const onTrack = (track_slug: string): FileCombination => ({
  ...aCombination,
  track_slug,
  track_label: track_slug,
  sim_track_id: 1 + [...track_slug].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_000, 7),
})

/** Records a file and publishes its standing, as a worker does. */
async function bring(
  userId: string,
  combination: FileCombination,
  laps: readonly Partial<JudgedLap>[],
  seed: string = randomUUID(),
) {
  const file = await recordFile(service.db, userId, {
    seed,
    combination,
    laps,
    findBests: client.findBests,
  })
  await publishAll()
  return file
}

async function publishAll(): Promise<void> {
  await sql`update standing set push_after = now()`.execute(service.db)
  await publishStandings({ db: service.db, leaderboard: client, logger: createLogger('ingest', 'silent') })
}

/** Fills a board with so many drivers; the best has 100 s. */
async function aBoardOf(drivers: number, combination: FileCombination, prefix = 'user'): Promise<void> {
  for (let i = 0; i < drivers; i++) {
    await bring(`${prefix}-${combination.track_slug}-${i}`, combination, [{ timeMs: 100_000 + 1000 * i }])
  }
}

const on = (track: string, board: 'complete' | 'clean' = 'complete') =>
  service.leaderboard.entries(track, board).map(entry => entry.time_ms)

async function lapsOf(as: string, query = '') {
  const { body } = await service.call('listLaps', { method: 'GET', url: `/api/laps${query}`, as })
  return body.laps as readonly {
    readonly lap_id: string
    readonly time_ms: number | null
    readonly review: string | null
    readonly on_board: readonly string[]
  }[]
}

const reference = (as: string, lapId: string) =>
  service.call('getReference', { method: 'GET', url: `/api/laps/${lapId}/reference`, as })

const moderate = (...args: string[]) => runModerate(service, ...args)

test('holds a lap over 2 % ahead of ten real drivers: it is only in the driver’s own list', async () => {
  const ring = onTrack('held-ring')
  await aBoardOf(10, ring)
  const { ingest, ids } = await bring('quick', ring, [{ timeMs: 97_900 }])
  assert.deepEqual(
    [ingest.state, ingest.outcome],
    ['done', { skipped: 'held_for_review', held_lap_id: ids[0] }],
  )
  assert.deepEqual([on('held-ring')[0], on('held-ring').length], [100_000, 10])
  assert.equal(
    service.leaderboard.received.some(({ user_id }) => user_id === 'quick'),
    false,
  )
  const [lap] = await lapsOf('quick')
  assert.deepEqual([lap!.lap_id, lap!.review, lap!.on_board], [ids[0], 'held', []])
  assert.deepEqual(
    (await lapsOf('quick', '?review=held')).map(({ lap_id }) => lap_id),
    [ids[0]],
  )
  assert.deepEqual(await lapsOf('quick', '?review=released'), [])
  assert.deepEqual(await lapsOf('user-held-ring-0', '?review=held'), [])
  // Exactly 2 % ahead is not held.
  assert.equal((await bring('fair', ring, [{ timeMs: 98_000 }])).ingest.outcome?.best_lap_time_ms, 98_000)
})

test('holds nothing on a board of nine real drivers, however many demo drivers there are', async () => {
  const ring = onTrack('small-ring')
  await aBoardOf(9, ring)
  await aBoardOf(12, ring, 'demo')
  const { ingest } = await bring('ninth', ring, [{ timeMs: 50_000 }])
  assert.equal(ingest.outcome?.best_lap_time_ms, 50_000)
})

test('compares with the best real driver, not with a demo driver who is faster', async () => {
  const ring = onTrack('demo-ring')
  await aBoardOf(10, ring)
  await bring('demo-fast', ring, [{ timeMs: 90_000 }])
  const { ingest } = await bring('between', ring, [{ timeMs: 95_000 }])
  assert.equal(ingest.outcome?.skipped, 'held_for_review')
})

test('compares a driver who improves in small steps with the others, not with their own last lap', async () => {
  const ring = onTrack('stairs-ring')
  await aBoardOf(10, ring)
  assert.equal((await bring('climber', ring, [{ timeMs: 98_100 }])).ingest.outcome?.best_lap_time_ms, 98_100)
  assert.equal(
    (await bring('climber', ring, [{ timeMs: 96_500 }])).ingest.outcome?.skipped,
    'held_for_review',
  )
  assert.equal(on('stairs-ring')[0], 98_100)
})

test('brings the next best lap of the file onto the board, and names the held lap in the answer', async () => {
  const ring = onTrack('both-ring')
  await aBoardOf(10, ring)
  const { ingest, ids } = await bring('both', ring, [{ timeMs: 60_000 }, { timeMs: 99_000 }])
  assert.deepEqual([ingest.outcome?.lap_id, ingest.outcome?.held_lap_id], [ids[1], ids[0]])
  assert.equal(on('both-ring')[0], 99_000)
  // A slower file does not mention the held lap of another one.
  const later = await bring('both', ring, [{ timeMs: 99_500 }])
  assert.deepEqual(
    [later.ingest.outcome?.skipped, later.ingest.outcome?.held_lap_id],
    ['not_faster', undefined],
  )
})

test('holds a clean lap on both boards if it beats only the clean one by far', async () => {
  const ring = onTrack('clean-ring')
  for (let i = 0; i < 10; i++) {
    await bring(`user-clean-${i}`, ring, [{ timeMs: 90_000 + i, isClean: false }, { timeMs: 100_000 + i }])
  }
  const { ingest } = await bring('cleaner', ring, [{ timeMs: 95_000 }])
  assert.equal(ingest.outcome?.skipped, 'held_for_review')
  const dirty = await bring('dirtier', ring, [{ timeMs: 95_000, isClean: false }])
  assert.equal(dirty.ingest.outcome?.best_lap_time_ms, 95_000)
})

test('holds a lap that breaks a soft rule on a board of any size', async () => {
  const ring = onTrack('soft-ring')
  const { ingest, ids } = await bring('soft', ring, [{ timeMs: 80_000, findings: ['splice'] }])
  assert.equal(ingest.outcome?.skipped, 'held_for_review')
  const held = await listHeldLaps(service.db, 50)
  assert.deepEqual(held.find(({ lapId }) => lapId === ids[0])?.reasons, ['splice'])
  // A lap that would be no new entry needs no review.
  await bring('soft', ring, [{ timeMs: 70_000 }])
  const slower = await bring('soft', ring, [{ timeMs: 71_000, findings: ['splice'] }])
  assert.equal(slower.ingest.outcome?.skipped, 'not_faster')
  assert.equal(
    (await listHeldLaps(service.db, 50)).some(({ userId }) => userId === 'soft'),
    false,
  )
})

test('holds a lap whose file lacks a sensor that the simulator always records', async () => {
  const worker = await service.startWorker()
  const whole = await service.uploadAndIngest('sensed', aFile({ driverId: 61, trackName: 'Sensor Ring' }))
  assert.equal(whole.body.best_lap_time_ms, 19_500)
  const file = Buffer.from(aFile({ driverId: 62, trackName: 'Sensor Ring', lapTimesS: [19] }))
  // Renames the channel in the file.
  file.write('?', file.indexOf('YawRate\0'), 'latin1')
  const { status, body } = await service.uploadAndIngest('unsensed', file)
  assert.deepEqual([status, body.skipped], [200, 'held_for_review'])
  const held = await listHeldLaps(service.db, 50)
  assert.deepEqual(held.find(({ userId }) => userId === 'unsensed')?.reasons, ['missing_sensor'])
  await worker.close()
})

test('counts the laps that the list would show, with the age of the oldest', async () => {
  const ring = onTrack('counted-ring')
  await aBoardOf(10, ring)
  const before = await countHeldLaps(service.db)
  // Only the faster lap of one driver matters.
  const { ids } = await bring('counted', ring, [{ timeMs: 97_000 }, { timeMs: 97_500 }])
  const held = await countHeldLaps(service.db)
  assert.equal(held.laps, before.laps + 1)
  assert.equal(held.laps, (await listHeldLaps(service.db, 50)).length)
  await sql`update lap set recorded_at = now() - interval '1 day' where id = ${ids[0]}`.execute(service.db)
  const { oldestS } = await countHeldLaps(service.db)
  assert.ok(oldestS >= 86_400 && oldestS < 86_500, `${oldestS} s`)
  await decideLap(service.db, ids[0]!, { decision: 'released', by: 'ann', why: 'seen' })
  assert.equal((await countHeldLaps(service.db)).laps, before.laps)
})

test('lists a held lap, brings it onto the board when released, and changes nothing when repeated', async () => {
  const ring = onTrack('release-ring')
  await aBoardOf(10, ring)
  const { ids } = await bring('released', ring, [{ timeMs: 97_000 }])
  const lapId = ids[0]!
  const { code, out } = await moderate('held')
  assert.equal(code, 0)
  assert.match(
    out,
    new RegExp(`^\\S+ ${lapId} of released: 97000 ms on iracing release-ring default car, BEATS_BOARD$`, 'm'),
  )
  assert.deepEqual(await moderate('release-lap', lapId, 'ann', 'seen', 'on', 'video'), {
    code: 0,
    out: 'released\n',
  })
  await publishStandings({ db: service.db, leaderboard: client, logger: createLogger('ingest', 'silent') })
  assert.equal(on('release-ring')[0], 97_000)
  assert.deepEqual(
    (await lapsOf('released')).map(lap => [lap.review, lap.on_board]),
    [['released', ['complete', 'clean']]],
  )
  assert.deepEqual(await moderate('release-lap', lapId, 'bob', 'again'), {
    code: 0,
    out: 'the lap is released already\n',
  })
  const kept = await service.db.selectFrom('lap_decision').selectAll().where('lap_id', '=', lapId).execute()
  assert.deepEqual(
    kept.map(({ decision, decided_by, reason }) => [decision, decided_by, reason]),
    [['released', 'ann', 'seen on video']],
  )
  assert.ok(Math.abs(Date.now() - kept[0]!.decided_at.getTime()) < 600_000)
  // A driver whom a moderator knows to be that fast does not wait again with each better lap.
  assert.equal((await bring('released', ring, [{ timeMs: 96_500 }])).ingest.outcome?.best_lap_time_ms, 96_500)
  assert.equal(
    (await bring('released', ring, [{ timeMs: 90_000 }])).ingest.outcome?.skipped,
    'held_for_review',
  )
})

test('keeps a refused lap off the boards after its file comes again and after later laps', async () => {
  const ring = onTrack('refuse-ring')
  await aBoardOf(10, ring)
  const { ids } = await bring('refused', ring, [{ timeMs: 80_000 }], 'refused file')
  assert.equal((await moderate('refuse-lap', ids[0]!, 'ann', 'no car does this')).out, 'refused\n')
  const again = await bring('refused', ring, [{ timeMs: 80_000 }], 'refused file')
  assert.equal(again.ingest.outcome?.skipped, 'already_ingested')
  await bring('refused', ring, [{ timeMs: 104_000 }])
  assert.deepEqual(on('refuse-ring').slice(0, 2), [100_000, 101_000])
  assert.deepEqual(
    (await lapsOf('refused')).map(lap => [lap.time_ms, lap.review, lap.on_board.length]),
    [
      [104_000, null, 2],
      [80_000, 'refused', 0],
    ],
  )
  assert.equal(
    (await listHeldLaps(service.db, 50)).some(({ userId }) => userId === 'refused'),
    false,
  )
  // A moderator can change a decision.
  assert.equal((await moderate('release-lap', ids[0]!, 'bob', 'it was a rocket')).code, 0)
  await publishAll()
  assert.equal(on('refuse-ring')[0], 80_000)
})

test('takes a refused lap off the board, and the next best lap replaces it', async () => {
  const ring = onTrack('stands-ring')
  const { ids } = await bring('stander', ring, [{ timeMs: 80_000 }, { timeMs: 90_000 }])
  assert.deepEqual(on('stands-ring'), [80_000])
  assert.equal(await decideLap(service.db, ids[0]!, { decision: 'refused', by: 'ann', why: 'stolen' }), 'now')
  await publishAll()
  assert.deepEqual(on('stands-ring'), [90_000])
  assert.equal(await decideLap(service.db, ids[1]!, { decision: 'released', by: 'a', why: 'b' }), 'not_held')
})

test('answers that there is no such lap for an unknown or deleted one', async () => {
  const ring = onTrack('gone-ring')
  const { ids } = await bring('goner', ring, [{ timeMs: 80_000, findings: ['splice'] }])
  const { status } = await service.call('deleteLap', {
    method: 'DELETE',
    url: `/api/laps/${ids[0]}`,
    as: 'goner',
  })
  assert.equal(status, 204)
  for (const lapId of [ids[0]!, randomUUID()]) {
    assert.deepEqual(await moderate('release-lap', lapId, 'ann', 'late'), {
      code: 1,
      out: 'there is no such lap\n',
    })
  }
})

for (const args of [
  ['release-lap', randomUUID(), 'ann'],
  ['refuse-lap', 'none', 'ann', 'why'],
  ['refuse-lap', randomUUID(), ' ', 'why'],
  ['release-fingerprint', 'none'],
]) {
  test(`prints the usage and decides nothing for "moderate ${args.map(arg => arg.slice(0, 8)).join(' ')}"`, async () => {
    const { code, out } = await moderate(...args)
    assert.equal(code, 2)
    assert.match(out, /^node src\/moderate\.ts conflicts/)
  })
}

test('answers held_for_review for the same file while its lap is held', async () => {
  const ring = onTrack('again-ring')
  await aBoardOf(10, ring)
  const { ids } = await bring('again', ring, [{ timeMs: 90_000 }], 'held file')
  const held = await bring('again', ring, [{ timeMs: 90_000 }], 'held file')
  assert.deepEqual(held.ingest.outcome, { skipped: 'held_for_review', held_lap_id: ids[0] })
  await decideLap(service.db, ids[0]!, { decision: 'released', by: 'ann', why: 'fine' })
  await publishAll()
  const released = await bring('again', ring, [{ timeMs: 90_000 }], 'held file')
  assert.equal(released.ingest.outcome?.skipped, 'already_ingested')
  assert.equal(on('again-ring').filter(timeMs => timeMs === 90_000).length, 1)
})

test('keeps a held lap off the boards when it is hidden, shown or deleted', async () => {
  const ring = onTrack('hide-ring')
  await aBoardOf(10, ring)
  const { ids } = await bring('hider', ring, [{ timeMs: 90_000 }])
  const lapId = ids[0]!
  for (const reference_allowed of [false, true]) {
    const { status, body } = await service.call('updateLap', {
      method: 'PATCH',
      url: `/api/laps/${lapId}`,
      as: 'hider',
      body: { reference_allowed },
    })
    assert.deepEqual([status, body.review, body.reference_allowed], [200, 'held', reference_allowed])
  }
  const answer = await service.call('deleteLap', { method: 'DELETE', url: `/api/laps/${lapId}`, as: 'hider' })
  assert.equal(answer.status, 204)
  await publishAll()
  assert.deepEqual([on('hide-ring')[0], await lapsOf('hider')], [100_000, []])
})

test('deletes a held lap of a deleted account with its decisions', async () => {
  const ring = onTrack('leave-ring')
  const { ids } = await bring('leaver', ring, [{ timeMs: 90_000, findings: ['splice'] }])
  await decideLap(service.db, ids[0]!, { decision: 'refused', by: 'ann', why: 'splice' })
  await service.forget('leaver')
  for (const table of ['lap', 'lap_decision'] as const) {
    const left = await service.db
      .selectFrom(table)
      .select('id')
      .where(table === 'lap' ? 'user_id' : 'lap_id', '=', table === 'lap' ? 'leaver' : ids[0]!)
      .execute()
    assert.deepEqual(left, [])
  }
})

test('needs both a release and the right location to bring a held lap onto the boards', async () => {
  const ring = onTrack('elsewhere-ring')
  const { ids } = await bring('far', ring, [{ timeMs: 90_000, findings: ['splice'] }])
  const lapId = ids[0]!
  const change = (mark: typeof markElsewhere) =>
    service.db.transaction().execute(async trx => {
      await acquireAccountLock(trx, 'far')
      await mark(trx, [lapId])
      const { board_id: combinationId } = await trx
        .selectFrom('lap')
        .select('board_id')
        .where('id', '=', lapId)
        .executeTakeFirstOrThrow()
      await refreshStanding(trx, { userId: 'far', combinationId })
    })
  await change(markElsewhere)
  await change(unmarkElsewhere)
  await publishAll()
  assert.deepEqual(on('elsewhere-ring'), [])
  await change(markElsewhere)
  assert.equal(await decideLap(service.db, lapId, { decision: 'released', by: 'ann', why: 'fine' }), 'now')
  await publishAll()
  assert.deepEqual(on('elsewhere-ring'), [])
  await change(unmarkElsewhere)
  await publishAll()
  assert.deepEqual(on('elsewhere-ring'), [90_000])
})

test('compares with no lap that leaderboard hides', async () => {
  const ring = onTrack('forged-ring')
  await aBoardOf(10, ring)
  const forged = await bring('forger', ring, [{ timeMs: 98_500 }])
  service.leaderboard.hidden.add(forged.ids[0]!)
  // 2.2 % ahead of the best that is shown, and 0.7 % ahead of the hidden one.
  assert.equal((await bring('honest', ring, [{ timeMs: 97_800 }])).ingest.outcome?.skipped, 'held_for_review')
})

test('judges a file again if leaderboard does not answer, so that no lap enters a large board unchecked', async () => {
  const name = 'Unchecked Ring'
  const file = (driver: number, lapTimesS: readonly number[]) =>
    aFile({ driverId: 7000 + driver, lapTimesS, trackName: name })
  const worker = await service.startWorker()
  for (let driver = 0; driver < 10; driver++) {
    assert.equal(
      (await service.uploadAndIngest(`checked-${driver}`, file(driver, [20 + driver / 10]))).status,
      201,
    )
  }
  let asked = 0
  service.leaderboard.beforeBests = async () => {
    asked++
    if (asked === 1) throw new Error('away')
  }
  try {
    const { status, body } = await service.uploadAndIngest('unchecked', file(11, [19.4]))
    assert.deepEqual([status, body.skipped], [200, 'held_for_review'])
    assert.deepEqual([asked, on('unchecked-ring')[0]], [2, 20_000])
    // Its series are stored, and only its driver can load them before it is released.
    const lapId = String(body.held_lap_id)
    const seen = async () => [
      (await reference('unchecked', lapId)).status,
      (await reference('checked-1', lapId)).status,
    ]
    assert.deepEqual(await seen(), [200, 404])
    await decideLap(service.db, lapId, { decision: 'released', by: 'ann', why: 'fine' })
    assert.deepEqual(await seen(), [200, 200])
    await decideLap(service.db, lapId, { decision: 'refused', by: 'ann', why: 'not fine' })
    assert.deepEqual(await seen(), [200, 404])
  } finally {
    service.leaderboard.beforeBests = async () => {}
    await worker.close()
  }
})
