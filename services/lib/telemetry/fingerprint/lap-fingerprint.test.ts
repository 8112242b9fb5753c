import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@lapwing/simulator/random'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { consistentLaps } from '@lapwing/simulator/testing/consistent-laps'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import type { Columns } from '../columns.ts'
import { lapTrack } from '../compare/lap-track.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { findLaps } from '../laps/find-laps.ts'
import { PREVIEW_COLUMNS, previewOf } from '../preview/preview-session.ts'
import type { SessionFacts } from '../session/session-facts.ts'
import {
  noisy,
  noisyInputs,
  partlyFaster,
  resampled,
  rounded,
  spliced,
  stretched,
  thinned,
} from '../testing/copied-laps.ts'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { isPartlySameLap, isSameLap, timeDistance } from './is-same-lap.ts'
import { fingerprintOf, type LapFingerprint, lapFingerprint } from './lap-fingerprint.ts'
import { FINGERPRINT } from './layout.ts'

interface Session {
  readonly name: string
  readonly columns: Columns
  readonly facts: SessionFacts
}

async function session({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<Session> {
  const file = await openIbt(bytesSource(bytes))
  return { name, columns: await readColumns(file, PREVIEW_COLUMNS), facts: file.session }
}

const sample = await session({ name: 'sample', bytes: makeSampleSession() })
const recorded = await Promise.all(sharedIbtFiles().map(session))

/** Runs a test once with the sample's laps, and once with recorded laps. */
function testSessions(promise: string, check: (sessions: readonly Session[]) => void): void {
  test(promise, () => check([sample]))
  test(`${promise}: recorded laps`, { skip: sharedIbtMissing }, () => check(recorded))
}

/** Returns fingerprints by lap number, also of laps with an invalid verdict: copies need no verdict. */
function fingerprints(
  { columns, facts }: Session,
  numbers?: ReadonlySet<number>,
): Map<number, LapFingerprint> {
  const result = new Map<number, LapFingerprint>()
  for (const lap of findLaps(columns, facts)) {
    if (numbers === undefined ? !lap.is_completed : !numbers.has(lap.lap)) continue
    const track = lapTrack(columns, { ...lap, is_completed: true }, facts)
    if (track !== null) result.set(lap.lap, fingerprintOf(track)!)
  }
  return result
}

const known = new Map<Session, ReturnType<typeof fingerprints>>()

/** Returns the fingerprints of the complete laps of a session, computed once for all tests. */
function originalsOf(session: Session): Map<number, LapFingerprint> {
  const originals = known.get(session) ?? fingerprints(session)
  known.set(session, originals)
  return originals
}

const share = (a: LapFingerprint, b: LapFingerprint): number =>
  a.keys.filter(key => b.keys.includes(key)).length

const random = createRandom(20)
const COPIES: Readonly<Record<string, (columns: Columns) => Columns>> = {
  'sampled at 30 Hz': columns => resampled(columns, 0.5),
  'sampled at 120 Hz': columns => resampled(columns, 2),
  'sampled at 47 Hz': columns => resampled(columns, 47 / 60),
  'stretched by 0.1 %': columns => stretched(columns, 1.001),
  'compressed by 0.1 %': columns => stretched(columns, 0.999),
  'with noise of 1e-4': columns => noisy(columns, 1e-4, random),
  'rounded to six digits': columns => rounded(columns, 6),
  'without one row in twenty': columns => thinned(columns, 20, random),
  'sampled at 30 Hz, compressed, with noise and rows lost': columns =>
    thinned(noisy(stretched(resampled(columns, 0.5), 0.999), 1e-4, random), 20, random),
  'with noise of 1 % in the inputs': columns => noisyInputs(columns, 0.01, random),
  'played 1.01 times faster': columns => stretched(columns, 1 / 1.01),
  'of which 10 % are 1.05 times faster': columns => partlyFaster(columns, [0.45, 0.55], 1.05),
  'of which 20 % are 1.05 times faster': columns => partlyFaster(columns, [0.1, 0.3], 1.05),
  'of which 30 % are 1.05 times faster': columns => partlyFaster(columns, [0.6, 0.9], 1.05),
  'of which 30 % are 1.05 times faster, at 47 Hz, with noise of 1 % in the inputs': columns =>
    noisyInputs(partlyFaster(resampled(columns, 47 / 60), [0.6, 0.9], 1.05), 0.01, random),
}

for (const [how, copy] of Object.entries(COPIES)) {
  testSessions(`finds a copy by its keys and descriptor: ${how}`, sessions => {
    let laps = 0
    for (const session of sessions) {
      const { name, columns, facts } = session
      const originals = originalsOf(session)
      const copies = fingerprints({ name, columns: copy(columns), facts }, new Set(originals.keys()))
      for (const [lap, original] of originals) {
        const other = copies.get(lap)
        assert.ok(other !== undefined, `${name}, lap ${lap}`)
        assert.ok(isSameLap(original.descriptor, other.descriptor), `${name}, lap ${lap}`)
        // A look-up needs one of the keys.
        assert.ok(share(original, other) >= 3, `${name}, lap ${lap}`)
        laps++
      }
    }
    assert.ok(laps >= 5)
  })
}

testSessions('distinguishes all laps of one driver, one track and one car', sessions => {
  for (const [i, a] of sessions.entries()) {
    for (const b of sessions.slice(i)) {
      for (const [lapA, one] of originalsOf(a)) {
        for (const [lapB, other] of originalsOf(b)) {
          if (a === b && lapA >= lapB) continue
          const name = `${a.name}, lap ${lapA} and ${b.name}, lap ${lapB}`
          assert.equal(isSameLap(one.descriptor, other.descriptor), false, name)
          assert.equal(isPartlySameLap(one.descriptor, other.descriptor), false, name)
          assert.equal(share(one, other), 0, name)
        }
      }
    }
  }
})

/** 10,000 pairs take a minute: `FINGERPRINT_PAIRS=10000`. */
const PAIRS = Number(process.env.FINGERPRINT_PAIRS ?? 400)

test(`distinguishes ${PAIRS} pairs of laps that one driver drove in the same time`, () => {
  const laps = consistentLaps(Math.ceil(Math.sqrt(2 * PAIRS)) + 1, 40).map(track => fingerprintOf(track)!)
  let pairs = 0
  let withKey = 0
  let nearest = Number.POSITIVE_INFINITY
  for (const [i, one] of laps.entries()) {
    for (const other of laps.slice(i + 1)) {
      assert.equal(isSameLap(one.descriptor, other.descriptor), false)
      assert.equal(isPartlySameLap(one.descriptor, other.descriptor), false)
      nearest = Math.min(nearest, timeDistance(one.descriptor, other.descriptor))
      if (share(one, other) > 0) withKey++
      pairs++
    }
  }
  assert.ok(pairs >= PAIRS)
  // Look-ups stay short: few different laps share a key.
  assert.ok(withKey <= 0.05 * pairs, `${withKey} of ${pairs} pairs share a key`)
  console.log(`${pairs} pairs: ${withKey} share a key, the nearest are ${nearest.toExponential(1)} apart`)
})

/**
 * Changes the bytes of the rows that neither judging nor showing nor fingerprints use, and the driver's
 * numbers in the text.
 */
async function withChangedBytes(bytes: Uint8Array): Promise<Uint8Array> {
  const { variables, bufOffset, bufLen, rows } = await openIbt(bytesSource(bytes))
  const others = variables.filter(({ name }) => !PREVIEW_COLUMNS.has(name))
  assert.ok(others.length > 0)
  const copy = bytes.slice()
  for (let i = 0; i < 1000; i++) {
    const { offset } = random.pick(others)
    copy[bufOffset + random.below(rows) * bufLen + offset]! ^= 1 << random.below(8)
  }
  return withText(copy, /(UserID: )\d/g, '$19')
}

function withText(bytes: Uint8Array, pattern: RegExp, by: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1').replace(pattern, by)
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

test('finds a copy of a file with other bytes, another driver and another header: recorded laps', {
  skip: sharedIbtMissing,
}, async () => {
  for (const { name, bytes } of sharedIbtFiles()) {
    const changed = await withChangedBytes(bytes)
    assert.notDeepEqual(changed, bytes)
    const originals = fingerprints(await session({ name, bytes }))
    const copies = fingerprints(await session({ name, bytes: changed }))
    assert.deepEqual([...copies.keys()], [...originals.keys()])
    for (const [lap, { keys, descriptor }] of originals) {
      assert.ok(isSameLap(descriptor, copies.get(lap)!.descriptor), `${name}, lap ${lap}`)
      assert.deepEqual(copies.get(lap)!.keys, keys)
    }
  }
})

testSessions('finds 60 % of a lap in another one, and does not take it for the same lap', sessions => {
  let pairs = 0
  for (const { columns, facts, name } of sessions) {
    const laps = findLaps(columns, facts).filter(lap => lap.is_completed)
    const tracks = laps.map(lap => lapTrack(columns, lap, facts)!)
    for (const [i, stolen] of tracks.entries()) {
      const own = tracks[i + 1]
      if (own === undefined) continue
      const original = fingerprintOf(stolen)!
      const splice = fingerprintOf(spliced(stolen, own, 0.6))!
      assert.ok(isPartlySameLap(original.descriptor, splice.descriptor), `${name}, lap ${i}`)
      assert.equal(isSameLap(original.descriptor, splice.descriptor), false)
      assert.ok(share(original, splice) >= 1, `${name}, lap ${i}`)
      pairs++
    }
  }
  assert.ok(pairs >= 4)
})

test('compares no inputs of laps whose drivers hardly work the pedals', () => {
  const series = { throttle: () => 1, brake: () => 0, steering: (pct: number) => 0.3 * Math.sin(6 * pct) }
  const bent = (pct: number) => 60 * pct + 0.2 * Math.sin(2 * Math.PI * pct)
  const one = fingerprintOf(syntheticTrack({ series }))!
  const other = fingerprintOf(syntheticTrack({ series, time: bent }))!
  assert.equal(isSameLap(one.descriptor, other.descriptor), false)
  assert.equal(isPartlySameLap(one.descriptor, other.descriptor), false)
})

test("returns a fingerprint of a preview's lap, and null if the lap is not complete", async () => {
  const file = await openIbt(bytesSource(makeSampleSession()))
  const preview = previewOf(file, await readColumns(file, PREVIEW_COLUMNS))
  const own = originalsOf(sample)
  for (const lap of preview.laps) {
    const fingerprint = lapFingerprint(preview, lap)
    if (!lap.is_completed) assert.equal(fingerprint, null)
    else assert.ok(isSameLap(fingerprint!.descriptor, own.get(lap.lap)!.descriptor))
  }
})

test('returns keys of one form for any lap, sixteen of them of its times', () => {
  for (const series of [{}, { throttle: () => 1, brake: () => Number.NaN, steering: () => 1e9 }]) {
    const { keys, descriptor } = fingerprintOf(syntheticTrack({ series }))!
    assert.ok(keys.length >= 16 && keys.length <= 32)
    assert.equal(new Set(keys).size, keys.length)
    for (const key of keys) assert.match(key, /^[0-9a-f]{16}$/)
    assert.equal(descriptor.byteLength, FINGERPRINT.bytes)
  }
})

test('returns null for a lap without a time', () => {
  assert.equal(fingerprintOf(syntheticTrack({ time: () => 0 })), null)
  assert.equal(fingerprintOf(syntheticTrack({ time: () => Number.NaN })), null)
})

test('matches no descriptor of another length or version', () => {
  const { descriptor } = fingerprintOf(syntheticTrack())!
  assert.equal(isSameLap(descriptor, descriptor), true)
  assert.equal(isSameLap(descriptor, descriptor.subarray(1)), false)
  assert.equal(isSameLap(new Uint8Array(0), new Uint8Array(0)), false)
  const other = descriptor.slice()
  other[0] = 255
  assert.equal(isSameLap(other, other), false)
})

test('finds a lap whose times were changed by hundredths and whose inputs were not', () => {
  const inputs = {
    throttle: (pct: number) => 0.5 + 0.5 * Math.sin(40 * pct),
    brake: (pct: number) => Math.max(0, Math.sin(40 * pct + 2)),
    steering: (pct: number) => Math.sin(25 * pct),
  }
  const bent = (pct: number) => 60 * pct + 0.06 * Math.sin(2 * Math.PI * pct)
  const original = fingerprintOf(syntheticTrack({ series: inputs }))!
  const copy = fingerprintOf(syntheticTrack({ series: inputs, time: bent }))!
  const own = fingerprintOf(
    syntheticTrack({ series: { ...inputs, throttle: pct => 0.5 + 0.5 * Math.sin(41 * pct) }, time: bent }),
  )!
  assert.equal(isSameLap(original.descriptor, copy.descriptor), true)
  assert.equal(isSameLap(original.descriptor, own.descriptor), false)
})
