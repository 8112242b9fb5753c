import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createRandom } from '@lapwing/simulator/random'
import {
  bytesSource,
  type Columns,
  findLaps,
  type LapFingerprint,
  openIbt,
  PREVIEW_COLUMNS,
  readColumns,
  trackFingerprint,
} from '@lapwing/telemetry'
import { type LapTrack, lapTrack } from '@lapwing/telemetry/compare'
import {
  noisyInputs,
  partlyFaster,
  resampled,
  spliced,
  stretched,
} from '@lapwing/telemetry/testing/copied-laps'
import { bestLapAsFile } from '@lapwing/telemetry/testing/cut-file'
import { sql } from 'kysely'
import { MOST_COMPLETE } from '../judging/choose-laps.ts'
import { judgeFile } from '../judging/judge-file.ts'
import { decideLap } from '../moderation/review-laps.ts'
import { aDrivenFile, type DrivenFileOptions } from '../test/a-driven-file.ts'
import { type Harness, harness } from '../test/harness.ts'
import { aCombination, recordFile } from '../test/record-file.ts'
import { runModerate } from '../test/run-moderate.ts'

let service: Harness

before(async () => {
  service = await harness()
  await service.startWorker()
})

after(() => service.close())

const bring = (as: string, options: DrivenFileOptions) => service.uploadAndIngest(as, aDrivenFile(options))
/** The same laps with another driver and another start, so that hardly a byte of the header is the same. */
const changed = { driverId: 999, startedAt: new Date('2026-05-05T05:05:05Z') }

const keptOf = async (userId: string) => {
  const laps = await service.db
    .selectFrom('lap')
    .select(['time_ms', 'series_key'])
    .where('user_id', '=', userId)
    .where('is_completed', '=', true)
    .execute()
  return laps.map(lap => lap.time_ms)
}

/** Returns the fingerprint of a lap of each seed. */
async function fingerprintsOf(seeds: readonly number[]): Promise<readonly LapFingerprint[]> {
  const sha256 = createHash('sha256').update('any').digest()
  const { laps } = await judgeFile(bytesSource(aDrivenFile({ seeds })), { sha256, userId: 'any' })
  const fingerprints = laps.filter(lap => lap.counts).map(lap => lap.fingerprint!)
  assert.equal(fingerprints.length, seeds.length)
  return fingerprints
}

const fingerprintOf = async (seed: number) => (await fingerprintsOf([seed]))[0]!

test('refuses a lap of another account whatever else of the file is changed, and stores nothing of the file', async () => {
  const first = await bring('owner', { seeds: [11], driverId: 11, trackName: 'Copied Ring' })
  assert.equal(first.status, 201)
  const { status, body } = await bring('thief', { seeds: [11, 12], ...changed, trackName: 'Another Ring' })
  assert.deepEqual([status, body.code], [409, 'upload.duplicate_lap'])
  assert.equal(
    body.detail,
    'Another account has saved a lap of this file already, so the file was not saved. A moderator will look at it.',
  )
  // The id of the request is random.
  assert.doesNotMatch(JSON.stringify({ ...body, request_id: null }), /owner|11\b/)
  assert.deepEqual(await keptOf('thief'), [])
  const { objects } = await service.bucket.store.list('laps/', {})
  assert.equal(objects.length, 1)
  const { rows } = await sql`select from lap_conflict where user_id = 'thief' and owner_user_id = 'owner'
    and owner_lap_id = ${String(first.body.lap_id)}`.execute(service.db)
  assert.equal(rows.length, 1)
  const { out } = await runModerate(service, 'conflicts')
  assert.match(out, new RegExp(`^\\S+ lap ${first.body.lap_id} of owner, brought by thief: ingest `, 'm'))
  // The refused file did not bind its driver number.
  assert.equal((await bring('later', { seeds: [13], driverId: 999 })).status, 201)
})

test('adds no copy of an own lap, but the other laps of the file', async () => {
  assert.equal((await bring('self', { seeds: [21], driverId: 21 })).status, 201)
  const copy = await bring('self', { seeds: [21], driverId: 21, startedAt: changed.startedAt })
  assert.deepEqual([copy.status, copy.body.skipped], [200, 'already_ingested'])
  assert.equal((await keptOf('self')).length, 1)
  await bring('self', { seeds: [21, 28], driverId: 21, startedAt: changed.startedAt })
  assert.equal((await keptOf('self')).length, 2)
})

test('counts a lap once that comes in its whole file and cut out of it, in both orders', async () => {
  const facts = (userId: string) =>
    service.db
      .selectFrom('lap')
      .select(['lap_no', 'time_ms', 'is_clean', 'reasons', 'driven_at'])
      .where('user_id', '=', userId)
      .where('is_completed', '=', true)
      .orderBy('time_ms')
      .execute()
  const file = (driverId: number, seeds: readonly number[]) => aDrivenFile({ seeds, driverId })
  const whole = file(91, [91, 96])
  const first = await service.uploadAndIngest('whole-first', whole)
  assert.equal(first.status, 201)
  const cut = await service.uploadAndIngest('whole-first', await bestLapAsFile(whole))
  assert.deepEqual([cut.status, cut.body.skipped], [200, 'already_ingested'])
  assert.equal((await facts('whole-first')).length, 2)
  const thief = await service.uploadAndIngest('thief', await bestLapAsFile(whole))
  assert.deepEqual([thief.status, thief.body.code], [409, 'upload.duplicate_lap'])

  const other = file(92, [102, 107])
  const alone = await service.uploadAndIngest('cut-first', await bestLapAsFile(other))
  assert.equal(alone.status, 201)
  const [best] = await facts('cut-first')
  assert.equal((await facts('cut-first')).length, 1)
  const rest = await service.uploadAndIngest('cut-first', other)
  assert.equal(rest.body.skipped, 'not_faster')
  assert.equal((await facts('cut-first')).length, 2)
  assert.deepEqual((await facts('cut-first'))[0], best)
})

test('gives a cut lap the verdict, the moment and the board of its whole file', async () => {
  const judged = async (bytes: Uint8Array) => {
    const { laps, ...file } = await judgeFile(bytesSource(bytes), {
      sha256: new Uint8Array(32),
      userId: 'any',
    })
    const best = laps.filter(lap => lap.counts).reduce((a, b) => (b.timeMs! < a.timeMs! ? b : a))
    const { id: _, ...facts } = best
    return { facts, combination: file.combination, simUserId: file.simUserId }
  }
  const whole = aDrivenFile({ seeds: [111, 116, 119] })
  assert.deepEqual(await judged(await bestLapAsFile(whole)), await judged(whole))
})

test('restores no refused or deleted lap from a changed file', async () => {
  const first = await bring('refused', { seeds: [31], driverId: 31 })
  const lapId = String(first.body.lap_id)
  await decideLap(service.db, lapId, { decision: 'refused', by: 'ann', why: 'forged' })
  const refused = await bring('refused', { seeds: [31], driverId: 31, startedAt: changed.startedAt })
  assert.equal(refused.body.skipped, 'already_ingested')
  const other = await bring('refused-2', { seeds: [31], ...changed, driverId: 32 })
  assert.equal(other.body.code, 'upload.duplicate_lap')

  const second = await bring('deleter', { seeds: [33], driverId: 33 })
  const url = `/api/laps/${second.body.lap_id}`
  assert.equal((await service.call('deleteLap', { method: 'DELETE', url, as: 'deleter' })).status, 204)
  const again = await bring('deleter', { seeds: [33], driverId: 33, startedAt: changed.startedAt })
  assert.equal(again.body.skipped, 'already_ingested')
})

test('holds a held lap in a changed file of its driver', async () => {
  const fingerprint = await fingerprintOf(41)
  const { ids } = await recordFile(service.db, 'holder', {
    laps: [{ timeMs: 70_000, findings: ['splice'], fingerprint }],
  })
  const { ingest } = await recordFile(service.db, 'holder', { laps: [{ timeMs: 70_001, fingerprint }] })
  assert.deepEqual(ingest.outcome, { skipped: 'held_for_review', held_lap_id: ids[0] })
})

test('frees the laps of a deleted account', async () => {
  assert.equal((await bring('gone', { seeds: [51], driverId: 51 })).status, 201)
  await service.forget('gone')
  const { rows } = await sql`select from lap_fingerprint_key left join lap_fingerprint on id = fingerprint_id
    left join lap on lap.id = lap_id where lap.id is null`.execute(service.db)
  assert.equal(rows.length, 0)
  assert.equal((await bring('next', { seeds: [51], driverId: 52 })).status, 201)
})

test('accepts the true driver’s file after a moderator released the lap or the file', async () => {
  const stolen = aDrivenFile({ seeds: [61], driverId: 61 })
  const { body } = await service.uploadAndIngest('first-thief', stolen)
  const mine = { seeds: [61], driverId: 62, startedAt: changed.startedAt }
  assert.equal((await bring('true-driver', mine)).body.code, 'upload.duplicate_lap')
  const release = (...args: string[]) => runModerate(service, ...args)
  assert.deepEqual(await release('release-fingerprint', String(body.lap_id)), { code: 0, out: 'released\n' })
  assert.deepEqual(await release('release-fingerprint', String(body.lap_id)), {
    code: 1,
    out: 'there is nothing to release\n',
  })
  assert.equal((await bring('true-driver', { ...mine, driverId: 63 })).status, 201)
  // The account that had it cannot bring it again.
  const again = await bring('first-thief', { ...mine, driverId: 64, startedAt: new Date('2026-06-06') })
  assert.equal(again.body.code, 'upload.duplicate_lap')

  const file = aDrivenFile({ seeds: [65], driverId: 65 })
  assert.equal((await service.uploadAndIngest('second-thief', file)).status, 201)
  await release('release-file', createHash('sha256').update(file).digest('hex'))
  await release('release-driver', 'iracing', '65')
  assert.equal((await service.uploadAndIngest('robbed', file)).status, 201)
})

test('accepts a lap from exactly one of two accounts that bring it at the same time', async () => {
  const fingerprints = await fingerprintsOf([70, 71, 72, 73, 74, 75, 76, 77])
  for (const [round, fingerprint] of fingerprints.entries()) {
    const record = (userId: string) =>
      recordFile(service.db, `${userId}-${round}`, {
        combination: { ...aCombination, track_slug: `race-${round}`, sim_track_id: 1_000 + round },
        laps: [{ fingerprint }],
      })
    const both = await Promise.all([record('left'), record('right')])
    assert.deepEqual(both.map(({ ingest }) => ingest.failure_code ?? ingest.state).sort(), [
      'recorded',
      'upload.duplicate_lap',
    ])
    const { rows } = await sql`select from lap_fingerprint join lap on lap.id = lap_id
      where user_id in (${`left-${round}`}, ${`right-${round}`})`.execute(service.db)
    assert.equal(rows.length, 1)
  }
})

test('keeps a lap once that an account brings in two files at the same time', async () => {
  const fingerprints = await fingerprintsOf([270, 271, 272, 273, 274, 275, 276, 277])
  for (const [round, fingerprint] of fingerprints.entries()) {
    const userId = `twice-${round}`
    const record = () => recordFile(service.db, userId, { laps: [{ fingerprint }] })
    const both = await Promise.all([record(), record()])
    assert.deepEqual(both.map(({ ingest }) => ingest.state).sort(), ['done', 'recorded'])
    assert.equal((await keptOf(userId)).length, 1)
  }
})

const lapsOfFile = async (seeds: readonly number[], copy: (columns: Columns) => Columns = same => same) => {
  const file = await openIbt(bytesSource(aDrivenFile({ seeds })))
  const original = await readColumns(file, PREVIEW_COLUMNS)
  const complete = findLaps(original, file.session).filter(lap => lap.is_completed)
  const columns = copy(original)
  return findLaps(columns, file.session)
    .filter(({ lap }) => complete.some(known => known.lap === lap))
    .map((lap): LapTrack => lapTrack(columns, { ...lap, is_completed: true, time_s: 1 }, file.session)!)
}

const copies: Readonly<Record<string, (columns: Columns) => Columns>> = {
  '10 % of it faster': columns => partlyFaster(columns, [0.45, 0.55], 1.05),
  '20 % of it faster': columns => partlyFaster(columns, [0.1, 0.3], 1.05),
  '30 % of it faster': columns => partlyFaster(columns, [0.6, 0.9], 1.05),
  'the whole 1.01 times faster': columns => stretched(columns, 1 / 1.01),
  'the whole 1.02 times faster': columns => stretched(columns, 1 / 1.02),
  'other samples': columns => resampled(columns, 47 / 60),
  'noise of 1 % in the inputs': columns => noisyInputs(columns, 0.01, createRandom(3)),
  'a faster part, other samples and noise': columns =>
    noisyInputs(partlyFaster(resampled(columns, 0.5), [0.6, 0.9], 1.05), 0.01, createRandom(4)),
}

test('refuses a lap of another account that was played faster, resampled or made noisy', async () => {
  const [original] = await lapsOfFile([91])
  await recordFile(service.db, 'played', { laps: [{ fingerprint: trackFingerprint(original!) }] })
  for (const [how, copy] of Object.entries(copies)) {
    const [lap] = await lapsOfFile([91], copy)
    const thief = await recordFile(service.db, how, { laps: [{ fingerprint: trackFingerprint(lap!) }] })
    assert.equal(thief.ingest.failure_code, 'upload.duplicate_lap', how)
  }
  // Laps of two drivers at one pace.
  const [other] = await lapsOfFile([92])
  const honest = await recordFile(service.db, 'at one pace', {
    laps: [{ fingerprint: trackFingerprint(other!) }],
  })
  assert.equal(honest.ingest.state, 'recorded')
})

test('holds a lap of which a large part is from another account, and lists it as a conflict', async () => {
  const [stolen, own] = await lapsOfFile([101, 102])
  const original = await recordFile(service.db, 'spliced', {
    laps: [{ fingerprint: trackFingerprint(stolen!) }],
  })
  const fingerprint = trackFingerprint(spliced(stolen!, own!, 0.6))
  const { ids, ingest } = await recordFile(service.db, 'splicer', { laps: [{ fingerprint }] })
  assert.deepEqual([ingest.outcome?.skipped, ingest.outcome?.held_lap_id], ['held_for_review', ids[0]])
  const lap = await service.db
    .selectFrom('lap')
    .select('review_reasons')
    .where('id', '=', ids[0]!)
    .executeTakeFirstOrThrow()
  assert.deepEqual(lap.review_reasons, ['PARTIAL_COPY'])
  const { rows } = await sql`select owner_lap_id from lap_conflict where user_id = 'splicer'`.execute(
    service.db,
  )
  assert.deepEqual(rows, [{ owner_lap_id: original.ids[0] }])
  // The true driver of the rest has another part of their lap in no stored lap.
  const rest = await recordFile(service.db, 'unrelated', {
    laps: [{ fingerprint: await fingerprintOf(103) }],
  })
  assert.equal(rest.ingest.state, 'recorded')
})

test('refuses a lap of another account in a changed file without a driver number, or of a team entry', async () => {
  assert.equal((await bring('numbered', { seeds: [111], driverId: 111 })).status, 201)
  const { startedAt } = changed
  const unnumbered = await bring('unnumbered', { seeds: [111], driverId: 0, startedAt })
  assert.deepEqual([unnumbered.status, unnumbered.body.code], [409, 'upload.duplicate_lap'])
  const file = Buffer.from(aDrivenFile({ seeds: [111], driverId: 112, startedAt }))
  const text = file.indexOf('   UserID: 112')
  assert.ok(text > 0)
  file.write('   TeamID: 112', text)
  const team = await service.uploadAndIngest('team', file)
  assert.deepEqual([team.status, team.body.code], [409, 'upload.duplicate_lap'])
  // Between two such files, too.
  assert.equal((await bring('nobody', { seeds: [113], driverId: 0 })).status, 201)
  const second = await bring('nobody else', { seeds: [113], driverId: 0, startedAt })
  assert.deepEqual([second.status, second.body.code], [409, 'upload.duplicate_lap'])
})

test('refuses a copy of the slowest of 2,000 laps of a file', async () => {
  const slowest = await fingerprintOf(121)
  const others = Array.from({ length: MOST_COMPLETE - 1 }, (_, index) => ({
    timeMs: 80_000 + index,
    fingerprint: aFingerprint(index),
  }))
  const laps = [...others, { timeMs: 90_000, fingerprint: slowest }]
  const endless = await recordFile(service.db, 'endless', { laps })
  // A sweep may have published it meanwhile.
  assert.equal(endless.ingest.failure_code, null)
  const thief = await recordFile(service.db, 'patient', { laps: [{ fingerprint: slowest }] })
  assert.equal(thief.ingest.failure_code, 'upload.duplicate_lap')
})

/** Returns a fingerprint that no other lap has. */
function aFingerprint(seed: number): LapFingerprint {
  const random = createRandom(1_000 + seed)
  const points = 1_000
  const series = () => Float32Array.from({ length: points }, () => random.below(1_000) / 1_000)
  return trackFingerprint({
    lengthM: 1_000,
    timeMs: 90_000,
    pct: Float64Array.from({ length: points }, (_, i) => i / (points - 1)),
    time: Float64Array.from(
      { length: points },
      (_, i) => i + (10 + (seed % 97)) * Math.sin((i * 7) / points),
    ),
    throttle: series(),
    brake: series(),
    steering: series(),
  })!
}
