import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource } from '@lapwing/telemetry'
import { decodeReference } from '@lapwing/telemetry/compare'
import fc from 'fast-check'
import { aFile } from '../test/a-file.ts'
import { judgeFile, Refusal } from './judge-file.ts'

const origin = { sha256: createHash('sha256').update('any').digest(), userId: 'driver' }
const judge = (bytes: Uint8Array) => judgeFile(bytesSource(bytes), origin)

test('derives lap ids from file, account and position: the same each time', async () => {
  const bytes = aFile()
  const [one, two] = [await judge(bytes), await judge(bytes)]
  assert.deepEqual(one, two)
  const ids = one.laps.map(({ id }) => id)
  assert.equal(new Set(ids).size, 4)
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const other = await judgeFile(bytesSource(bytes), { ...origin, userId: 'another' })
  assert.equal(
    other.laps.some(({ id }) => ids.includes(id)),
    false,
  )
})

test('encodes the series of a lap as a reference with its account and combination', async () => {
  const { laps, series, combination } = await judge(aFile({ lapTimesS: [20, 19.5] }))
  assert.deepEqual(
    series.map(({ lapId }) => lapId),
    [laps[2]!.id, laps[1]!.id],
  )
  const { facts, track } = decodeReference(gunzipSync(series[0]!.body))
  assert.equal(facts.lapId, laps[2]!.id)
  assert.equal(facts.userId, 'driver')
  assert.equal(facts.timeSource, 'official')
  assert.equal(facts.combination.track_slug, combination.track_slug)
  assert.equal(track.timeMs, 19_500)
  assert.equal(track.pct.length, 701)
  assert.ok(Math.abs(track.time.at(-1)! - 19.5) < 0.003)
})

test('packs the series of the ten fastest complete laps, and of the fastest clean one', async () => {
  const lapTimesS = Array.from({ length: 14 }, (_, lap) => 20 + lap / 10)
  const { laps, series } = await judge(
    aFile({
      lapTimesS,
      spoil({ channel, lineRows }) {
        for (const row of lineRows.slice(0, 12)) channel('PlayerTrackSurface').fill(0, row + 300, row + 360)
      },
    }),
  )
  const kept = series.map(({ lapId }) => laps.find(({ id }) => id === lapId)!.timeMs)
  assert.deepEqual(
    kept,
    [...lapTimesS.slice(0, 10), 21.2].map(timeS => Math.round(timeS * 1000)),
  )
})

for (const [options, why] of [
  [{ trackId: null }, 'no TrackID'],
  [{ trackId: 0 }, 'TrackID 0'],
  [{ trackId: -4 }, 'a negative TrackID'],
  [{ trackId: 1e12 }, 'a TrackID of no simulator'],
  [{ trackName: null }, 'no track name'],
  [{ trackName: '""' }, 'an empty track name'],
  [{ carName: null }, 'no car name'],
] as const) {
  test(`refuses a file with ${why}`, async () => {
    await assert.rejects(judge(aFile(options)), { code: 'ingest.unidentified' })
  })
}

test('makes a fingerprint of each lap that counts, in a file of over 500', async () => {
  const { laps } = await judge(
    aFile({
      lapTimesS: Array.from({ length: 505 }, (_, lap) => 10 + (lap % 7) / 10),
      lengthM: 200,
      // A lap at one speed has no fingerprint.
      spoil({ channel }) {
        const share = channel('LapDistPct')
        for (const [row, pct] of share.entries()) share[row] = pct + 0.01 * Math.sin(2 * Math.PI * pct)
      },
    }),
  )
  const counting = laps.filter(lap => lap.counts)
  assert.equal(counting.length, 505)
  assert.ok(counting.every(lap => lap.fingerprint !== null))
})

test('refuses the made-up sample session', async () => {
  await assert.rejects(judge(makeSampleSession()), { code: 'ingest.unidentified' })
})

for (const [bytes, why] of [
  [new Uint8Array(0), 'an empty file'],
  [Buffer.from('not telemetry at all'), 'text'],
  [aFile().subarray(0, 3_000), 'a file cut in its headers'],
] as const) {
  test(`refuses ${why} with the reader’s own sentence`, async () => {
    const error = await judge(bytes).then(
      () => assert.fail('it was accepted'),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'ingest.unreadable')
    assert.match(String(error.detail), /^This .*\.$/)
  })
}

test('judges a file that is cut in its records as far as it goes', async () => {
  const bytes = aFile({ lapTimesS: [20, 20, 20] })
  const { laps } = await judge(bytes.subarray(0, Math.floor(bytes.byteLength * 0.6)))
  assert.deepEqual(
    laps.filter(lap => lap.counts).map(lap => lap.lapNo),
    [2],
  )
})

const names: readonly (readonly [string, RegExp, number])[] = [
  ['鈴鹿サーキット', /^u[a-z0-9]+/, 7],
  ['Ünïcødé "Ring" \u202e<script>\u0007', /^unicode-ring-script$/, 30],
  ['N'.repeat(10_000), /^n+$/, 200],
  ['𝕏'.repeat(5_000), /^[a-z0-9-]+$/, 200],
  ["'; drop table lap; --", /^drop-table-lap$/, 200],
]
for (const [name, slug, most] of names) {
  test(`cuts a name such as ${JSON.stringify(name.slice(0, 30))} to what a board can show`, async () => {
    const { combination } = await judge(aFile({ trackName: name, carName: name }))
    assert.match(combination.track_slug, slug)
    for (const label of [combination.track_label, combination.car_label]) {
      assert.ok(label.length > 0 && label.length <= Math.max(most, 1), label)
      assert.equal(label.isWellFormed(), true)
      assert.doesNotMatch(label, /[\p{Cc}\u202e]/u)
    }
    for (const part of [combination.track_slug, combination.layout, combination.car_slug]) {
      assert.match(part, /^[a-z0-9_][a-z0-9_-]{0,99}$/)
    }
  })
}

test('counts a lap by its interpolated time if the file ends before the official one', async () => {
  const { laps } = await judge(aFile({ lapTimesS: [20], afterS: 0.5 }))
  assert.equal(laps[1]!.timeSource, 'interpolated')
  assert.equal(laps[1]!.counts, true)
})

test('does not count a lap without an official time if the file is long enough for one', async () => {
  // LapLastLapTime holds an earlier lap's value all the time.
  const { laps } = await judge(
    aFile({ lapTimesS: [20], spoil: ({ channel }) => channel('LapLastLapTime').fill(33.3) }),
  )
  assert.equal(laps[1]!.timeSource, 'interpolated')
  assert.deepEqual(laps[1]!.reasons, ['NOT_SCORED'])
  assert.deepEqual([laps[1]!.isCompleted, laps[1]!.counts], [false, false])
})

test('does not count a lap that the simulator refused', async () => {
  const { laps } = await judge(aFile({ lapTimesS: [20], scores: [-1] }))
  assert.ok(laps[1]!.reasons.includes('NOT_SCORED'))
  assert.equal(laps[1]!.counts, false)
})

test('does not count a lap of 3 s on a track of 4 km', async () => {
  const { laps } = await judge(aFile({ lapTimesS: [3], lengthM: 4000 }))
  assert.equal(
    laps.some(lap => lap.counts),
    false,
  )
  assert.ok(
    laps[1]!.reasons.includes('IMPLAUSIBLE') || laps[1]!.reasons.includes('JUMP'),
    String(laps[1]!.reasons),
  )
})

for (const name of ['Lat', 'Lon', 'Speed'] as const) {
  test(`judges a file with NaN all over ${name} as complete, not clean`, async () => {
    const { laps } = await judge(aFile({ spoil: ({ channel }) => channel(name).fill(Number.NaN) }))
    const complete = laps.filter(lap => lap.isCompleted)
    assert.equal(complete.length, 2)
    for (const lap of complete) assert.deepEqual([lap.reasons, lap.counts], [['UNVERIFIABLE'], true])
  })
}

for (const name of ['SessionTime', 'LapDistPct', 'LapLastLapTime'] as const) {
  test(`counts no lap and stores no invalid time if ${name} is NaN everywhere`, async () => {
    const { laps } = await judge(aFile({ spoil: ({ channel }) => channel(name).fill(Number.NaN) }))
    for (const lap of laps) {
      assert.equal(lap.counts, false)
      assert.ok(lap.timeMs === null || Number.isInteger(lap.timeMs))
    }
  })
}

for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1e300, 1e300]) {
  test(`does not count the one lap with times of ${value} in its middle`, async () => {
    const { laps } = await judge(
      aFile({
        lapTimesS: [20, 20],
        spoil: ({ channel, lineRows: [first] }) =>
          channel('SessionTime').fill(value, first! + 100, first! + 110),
      }),
    )
    assert.deepEqual(
      laps.filter(lap => lap.counts).map(lap => lap.lapNo),
      [3],
    )
  })
}

test('reads the driver number, and none for a team', async () => {
  assert.equal((await judge(aFile({ driverId: 77 }))).simUserId, '77')
  assert.equal((await judge(aFile({ driverId: 77, teamId: 5 }))).simUserId, null)
  assert.equal((await judge(aFile({ driverId: null }))).simUserId, null)
  assert.equal((await judge(aFile({ driverId: 0 }))).simUserId, null)
})

test('keeps nothing of the session text but what a board needs (D-12)', async () => {
  const judged = await judge(aFile())
  assert.doesNotMatch(JSON.stringify({ ...judged, series: [] }), /Canary/)
})

test('judges a file with any bytes changed or cut, or refuses it with a reason', async () => {
  const whole = aFile({ lapTimesS: [3], lengthM: 100, startedAt: new Date('2026-01-01T00:00:00Z') })
  // Most of what can go wrong is before the first row.
  const offset = fc.oneof(fc.nat({ max: 6_000 }), fc.nat({ max: whole.byteLength - 1 }))
  const change = fc.record({
    at: offset,
    value: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 0x7f, 0x80, 0xff)),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), fc.option(offset), async (changes, end) => {
      const bytes = whole.slice(0, end ?? whole.byteLength)
      for (const { at, value } of changes) if (at < bytes.byteLength) bytes[at] = value
      const laps = await judge(bytes).then(
        judged => judged.laps,
        (error: unknown) => {
          assert.ok(error instanceof Refusal, String(error))
          return []
        },
      )
      for (const lap of laps) {
        assert.ok(!lap.counts || (lap.isCompleted && lap.timeMs !== null && lap.timeMs > 0))
        assert.ok(!lap.isClean || lap.reasons.length === 0)
      }
    }),
    { numRuns: 400 },
  )
})
