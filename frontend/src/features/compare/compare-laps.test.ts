import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap } from '@lapwing/telemetry'
import * as maths from '@lapwing/telemetry/compare'
import { aPreview } from '#testing/a-preview.ts'
import { type CompareLapsDeps, createCompareLaps } from './compare-laps.ts'
import type { KnownCorner } from './fetch-track-corners.ts'

const preview = aPreview({ completeLaps: 3 })
const [out, first, second] = preview.laps as [Lap, Lap, Lap]

function deps(): CompareLapsDeps & { readonly pauses: () => number } {
  let pauses = 0
  return {
    maths,
    known: null,
    pause: async () => {
      pauses++
    },
    pauses: () => pauses,
  }
}

test('two laps of a session: the losses of all stretches add up to the gap at the line', async () => {
  const compared = await createCompareLaps()(preview, first, { kind: 'session', lap: second }, deps())
  assert.equal(compared?.reference.name, `Lap ${second.lap}`)
  const { seconds, missedMs, stretches } = compared!.difference!
  const gapMs = Math.round(1000 * seconds.at(-1)!)
  assert.equal(
    stretches.reduce((sum, { lossMs }) => sum + lossMs, 0),
    gapMs,
  )
  assert.ok(Math.abs(seconds.at(-1)! - (first.time_s! - second.time_s!)) < 1e-9)
  assert.ok(Math.abs(missedMs) < 20)
})

test('a lap of a board is compared with as one of the session is, under its driver’s name', async () => {
  const compareLaps = createCompareLaps()
  const track = maths.lapTrack(preview, second)!
  const external = { kind: 'external', name: 'slipstream', track } as const
  const [own, other] = await Promise.all([
    compareLaps(preview, first, { kind: 'session', lap: second }, deps()),
    compareLaps(preview, first, external, deps()),
  ])
  assert.equal(other?.reference.name, 'slipstream')
  assert.deepEqual(other?.difference, own?.difference)
})

test('a lap that is not whole has the reference beside it, and no difference', async () => {
  const compared = await createCompareLaps()(preview, out, { kind: 'session', lap: second }, deps())
  assert.equal(compared?.difference, null)
  assert.ok(compared!.corners.length > 0)
})

test('a reference that is not whole is none', async () => {
  assert.equal(await createCompareLaps()(preview, first, { kind: 'session', lap: out }, deps()), null)
})

test('corners are the same whichever lap is looked at and whichever is the reference', async () => {
  const compareLaps = createCompareLaps()
  const { lat: _lat, lon: _lon, ...unplaced } = maths.lapTrack(preview, second)!
  const compared = [
    await compareLaps(preview, first, { kind: 'session', lap: second }, deps()),
    await compareLaps(preview, preview.laps[3]!, { kind: 'session', lap: second }, deps()),
    await compareLaps(preview, second, { kind: 'session', lap: first }, deps()),
    await compareLaps(preview, first, { kind: 'external', name: 'slipstream', track: unplaced }, deps()),
  ]
  for (const one of compared) assert.equal(one!.corners, compared[0]!.corners)
})

/** The corners of the session with other numbers, a little farther along. */
const storedOf = (corners: readonly maths.Corner[]): KnownCorner[] =>
  corners.map(({ name: _name, ...corner }, i) => ({
    ...corner,
    number: `${i + 7}`,
    knownAs: i === 0 ? 'Big Bend' : null,
    apexPct: corner.apexPct + 1e-4,
  }))

test('stored corners win over those that the session shows, and losses still add up', async () => {
  const compareLaps = createCompareLaps()
  const own = await compareLaps(preview, first, { kind: 'session', lap: second }, deps())
  const known = storedOf(own!.corners)
  const compared = await compareLaps(preview, first, { kind: 'session', lap: second }, { ...deps(), known })
  assert.deepEqual(
    compared!.corners.map(({ name, knownAs }) => [name, knownAs]),
    known.map(({ number, knownAs }) => [`Turn ${number}`, knownAs]),
  )
  const { seconds, stretches } = compared!.difference!
  assert.equal(
    stretches.reduce((sum, { lossMs }) => sum + lossMs, 0),
    Math.round(1000 * seconds.at(-1)!),
  )
  const again = await compareLaps(preview, second, { kind: 'session', lap: first }, { ...deps(), known })
  assert.equal(again!.corners, compared!.corners)
})

test('stored corners that lie where this road does not bend are not shown', async () => {
  const compareLaps = createCompareLaps()
  const own = await compareLaps(preview, first, { kind: 'session', lap: second }, deps())
  const known = storedOf(own!.corners).map(
    (corner): KnownCorner => ({
      ...corner,
      direction: corner.direction === 'left' ? 'right' : 'left',
    }),
  )
  const compared = await compareLaps(preview, first, { kind: 'session', lap: second }, { ...deps(), known })
  assert.equal(compared!.corners, own!.corners)
})

test('a session without a whole lap has the corners of the reference', async () => {
  const partial = { ...preview, laps: [out] }
  const track = maths.lapTrack(preview, second)!
  const compared = await createCompareLaps()(
    partial,
    out,
    { kind: 'external', name: 'slipstream', track },
    deps(),
  )
  assert.ok(compared!.corners.length > 0)
})

test('the page can answer between two steps, and laps seen before take none', async () => {
  const compareLaps = createCompareLaps()
  const cold = deps()
  await compareLaps(preview, first, { kind: 'session', lap: second }, cold)
  assert.equal(cold.pauses(), 5)
  const warm = deps()
  await compareLaps(preview, first, { kind: 'session', lap: second }, warm)
  assert.equal(warm.pauses(), 1)
})

test('returns nothing if it is cancelled in a pause', async () => {
  const gone = new Error('gone')
  const pause = () => Promise.reject(gone)
  await assert.rejects(
    createCompareLaps()(preview, first, { kind: 'session', lap: second }, { maths, known: null, pause }),
    gone,
  )
})
