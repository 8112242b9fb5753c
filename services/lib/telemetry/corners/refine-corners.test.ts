import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { recordedTracks } from '../testing/recorded-tracks.ts'
import { agreeOnCorners } from './agree-corners.ts'
import { type FoundCorner, isSameRoad } from './corner.ts'
import { findTrackCorners } from './find-track-corners.ts'
import { MAX_MOVED_M, refineCorners, type TrackCorners } from './refine-corners.ts'

const none: TrackCorners = { corners: [], nextId: 1 }
const lengthM = 3000

/** Returns a corner by the metres of its bounds. */
const at = (startM: number, endM: number, direction: FoundCorner['direction'] = 'left'): FoundCorner => ({
  startPct: startM / lengthM,
  apexPct: (startM + endM) / 2 / lengthM,
  endPct: endM / lengthM,
  direction,
  kind: 'turn',
})

const THREE = [at(300, 500), at(900, 1200, 'right'), at(2000, 2400)]
const known = refineCorners(none, THREE, lengthM)

const numbers = ({ corners }: TrackCorners): string => corners.map(({ number }) => number).join(' ')
const idsOf = ({ corners }: TrackCorners): string =>
  corners.map(({ id, number, direction, kind }) => [id, number, direction, kind].join()).join(' ')

test('numbers the corners of a new track from the line', () => {
  assert.equal(numbers(known), '1 2 3')
  assert.deepEqual(
    known.corners.map(({ id }) => id),
    [1, 2, 3],
  )
  assert.equal(known.nextId, 4)
})

test('moves a corner towards the laps, but never far from its first bounds', () => {
  const near = refineCorners(known, [at(306, 490)], lengthM).corners[0]!
  assert.ok(Math.abs(near.startPct * lengthM - 306) < 1e-9)
  assert.ok(Math.abs(near.endPct * lengthM - 490) < 1e-9)
  let far = known
  for (let i = 0; i < 50; i++) far = refineCorners(far, [at(250 - i, 480)], lengthM)
  assert.ok(Math.abs(far.corners[0]!.startPct * lengthM - (300 - MAX_MOVED_M)) < 1e-9)
})

test('names a later corner after the one before it, and renumbers no other', () => {
  const more = refineCorners(known, [at(650, 760), ...THREE], lengthM)
  assert.equal(numbers(more), '1 1a 2 3')
  assert.deepEqual(
    more.corners.map(({ id }) => id),
    [1, 4, 2, 3],
  )
  const most = refineCorners(more, [at(30, 120), at(780, 860, 'right'), at(2700, 2900)], lengthM)
  assert.equal(numbers(most), '0a 1 1a 1b 2 3 3a')
})

test('names a corner after an end of an oval by its second turn', () => {
  const ends = refineCorners(
    none,
    [at(300, 900), at(1600, 2300)].map(end => ({ ...end, kind: 'oval_end' })),
    lengthM,
  )
  assert.equal(numbers(ends), '1-2 3-4')
  assert.equal(numbers(refineCorners(ends, [at(1100, 1300)], lengthM)), '1-2 2a 3-4')
})

test('never merges two known corners, and never splits one', () => {
  const joined = [at(300, 500), at(520, 700), at(2000, 2400)]
  const apart = refineCorners(none, joined, lengthM)
  assert.deepEqual(refineCorners(apart, [at(300, 700)], lengthM), apart)
  assert.deepEqual(refineCorners(known, [at(2000, 2190), at(2210, 2400)], lengthM), known)
})

test('does not remove a corner that laps do not show any more', () => {
  assert.deepEqual(refineCorners(known, [], lengthM), known)
  assert.equal(numbers(refineCorners(known, [at(300, 500)], lengthM)), '1 2 3')
})

test('separates neighbours that would overlap', () => {
  const close = refineCorners(none, [at(300, 500), at(502, 700)], lengthM)
  const { corners } = refineCorners(close, [at(300, 512), at(495, 700)], lengthM)
  assert.ok(corners[0]!.endPct <= corners[1]!.startPct)
})

/** Any corners in driving order, without overlap. */
const anyCorners = fc
  .uniqueArray(fc.integer({ min: 0, max: lengthM }), { maxLength: 30 })
  .map(places => places.toSorted((a, b) => a - b))
  .chain(places =>
    fc.tuple(...places.map(() => fc.constantFrom('left' as const, 'right' as const))).map(ways =>
      places.flatMap((place, i) => {
        const end = places[i + 1]
        return i % 2 === 0 && end !== undefined ? [at(place, end, ways[i])] : []
      }),
    ),
  )

test('never changes id, number or order of known corners, whatever laps show', () => {
  fc.assert(
    fc.property(fc.array(anyCorners, { minLength: 1, maxLength: 12 }), arrivals => {
      let track = none
      for (const found of arrivals) {
        const next = refineCorners(track, found, lengthM)
        const kept = new Set(track.corners.map(({ id }) => id))
        const stayed = { ...next, corners: next.corners.filter(({ id }) => kept.has(id)) }
        assert.equal(idsOf(stayed), idsOf(track))
        const all = next.corners
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
        assert.equal(new Set(all.map(({ number }) => number)).size, all.length)
        assert.ok(all.every(({ id }) => id < next.nextId))
        all.forEach((corner, i) => {
          assert.ok(corner.startPct <= corner.apexPct && corner.apexPct <= corner.endPct)
          assert.ok(i === 0 || all[i - 1]!.endPct <= corner.startPct)
          assert.ok(corner.startPct >= 0 && corner.endPct <= 1)
          const movedM = Math.abs(corner.apexPct - corner.foundAt.apexPct) * lengthM
          assert.ok(movedM <= MAX_MOVED_M + 1e-6)
        })
        assert.deepEqual(refineCorners(next, found, lengthM), next, 'repeating the same laps changes nothing')
        track = next
      }
    }),
  )
})

test('agrees on the same corners in any order of the drivers', () => {
  fc.assert(
    fc.property(fc.array(anyCorners, { maxLength: 7 }), drivers => {
      const agreed = agreeOnCorners(drivers)
      assert.deepEqual(agreeOnCorners(drivers.toReversed()), agreed)
      agreed.forEach((corner, i) => {
        assert.ok(corner.startPct <= corner.apexPct && corner.apexPct <= corner.endPct)
        assert.ok(i === 0 || agreed[i - 1]!.endPct <= corner.startPct)
      })
    }),
  )
})

test('agrees on the corners that more than half of the drivers show', () => {
  const other = [at(310, 505), at(905, 1190, 'right'), at(1990, 2390)]
  const forged = [at(100, 200), at(330, 560), at(2500, 2700)]
  const starts = (drivers: readonly (readonly FoundCorner[])[]) =>
    agreeOnCorners(drivers).map(({ startPct }) => Math.round(startPct * lengthM))
  assert.deepEqual(starts([THREE, forged, other]), [310, 903, 1995])
  assert.deepEqual(starts([THREE, forged]), [315])
  assert.deepEqual(agreeOnCorners([THREE]), THREE)
  assert.deepEqual(agreeOnCorners([THREE, []]), [])
  assert.deepEqual(agreeOnCorners([]), [])
})

test('distinguishes laps of another road by their corners', () => {
  assert.equal(isSameRoad(THREE, [at(310, 480), at(2010, 2400)]), true)
  assert.equal(isSameRoad(THREE, [at(310, 480, 'right'), at(900, 1200), at(2010, 2400)]), false)
  assert.equal(isSameRoad(THREE, []), false)
  assert.equal(isSameRoad([], THREE), false)
})

test('never renumbers a corner, with recorded laps one by one, in any order, of any driver', {
  skip: sharedIbtMissing,
}, async () => {
  const tracks = Map.groupBy(await recordedTracks(sharedIbtFiles()), ({ board }) => board)
  for (const [board, laps] of tracks) {
    const found = laps.map(({ track }) => findTrackCorners([track]))
    const all = agreeOnCorners(found)
    for (const arrivals of [found, found.toReversed()]) {
      let track = none
      for (const corners of arrivals) track = refineCorners(track, corners, laps[0]!.track.lengthM)
      const expected = refineCorners(none, all, laps[0]!.track.lengthM)
      assert.equal(idsOf(track), idsOf(expected), board)
    }
  }
})
