import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FoundCorner } from '@lapwing/telemetry/corners'
import { decideCorners, type Evidence, type StoredCorners } from './decide-corners.ts'
import type { Sighting } from './sighting.ts'

const lengthM = 3000
const none: StoredCorners = {
  corners: [],
  nextId: 1,
  lengthM: null,
  founderLapId: null,
  isProvisional: true,
}

/** Corners that start at 300, 900 and 2000 m, all moved by `movedM` metres. */
const road = (movedM = 0): readonly FoundCorner[] =>
  [300, 900, 2000].map(startM => ({
    startPct: (startM + movedM) / lengthM,
    apexPct: (startM + movedM + 100) / lengthM,
    endPct: (startM + movedM + 200) / lengthM,
    direction: 'left',
    kind: 'turn',
  }))
const otherRoad = road().map((corner): FoundCorner => ({ ...corner, direction: 'right' }))

const seen = (lapId: string, corners = road()): Sighting => ({ lapId, lengthM, corners })
const decide = (stored: StoredCorners, valid: readonly Sighting[], more: Partial<Evidence> = {}) =>
  decideCorners(stored, { valid, others: [], isLocated: true, isFounderElsewhere: false, ...more })
const numbers = ({ corners }: StoredCorners) => corners.map(({ id, number }) => `${id}:${number}`).join(' ')
const firstM = ({ corners }: StoredCorners) => Math.round(corners[0]!.startPct * lengthM)

const first = decide(none, [seen('a')])

test('takes the corners of a track from its first driver', () => {
  assert.equal(numbers(first), '1:1 2:2 3:3')
  assert.equal(first.founderLapId, 'a')
  assert.equal(first.lengthM, lengthM)
})

test('finds no corners without a lap that counts', () => {
  assert.equal(decide(none, []), none)
})

test('moves nothing for one driver alone, however often', () => {
  assert.equal(decide(first, [seen('b', road(10))]), first)
})

test('moves corners for two drivers only once the track location is agreed', () => {
  const two = [seen('a'), seen('b', road(10))]
  const unplaced = decide(first, two, { isLocated: false })
  assert.deepEqual(unplaced.corners, first.corners)
  assert.equal(unplaced.founderLapId, null)
  const placed = decide(unplaced, two)
  assert.equal(firstM(placed), 305)
  assert.equal(numbers(placed), numbers(first))
  assert.equal(decide(placed, two), placed)
})

test('moves and adds no corner for a forged lap among honest ones', () => {
  const honest = [seen('a'), seen('b'), seen('c')]
  const settled = decide(first, honest)
  const forged = seen(
    'x',
    [...otherRoad, ...road(14)].toSorted((p, q) => p.startPct - q.startPct),
  )
  assert.equal(decide(settled, [...honest, forged]), settled)
  assert.equal(decide(settled, [...honest, seen('x', otherRoad)]), settled)
})

test('finds the corners of a single driver again if that lap was driven elsewhere', () => {
  const forged = decide(none, [seen('x', otherRoad)])
  const healed = decide(forged, [seen('a')], { isFounderElsewhere: true })
  assert.equal(numbers(healed), '4:1 5:2 6:3')
  assert.equal(healed.corners[0]!.direction, 'left')
  const empty = decide(forged, [], { isFounderElsewhere: true })
  assert.deepEqual([empty.corners, empty.founderLapId, empty.nextId], [[], null, 4])
})

test('finds the corners of a single driver again if three drivers of a located track show another road', () => {
  const forged = decide(none, [seen('x', otherRoad)])
  const three = [seen('a'), seen('b'), seen('x', otherRoad)]
  assert.equal(decide(forged, three.slice(1)), forged)
  assert.equal(decide(forged, three, { isLocated: false }), forged)
  assert.equal(numbers(decide(forged, three)), '4:1 5:2 6:3')
})

test('never replaces corners that two drivers showed', () => {
  const settled = decide(first, [seen('a'), seen('b')])
  const forgers = ['x', 'y', 'z'].map(lapId => seen(lapId, otherRoad))
  assert.equal(decide(settled, forgers), settled)
  assert.equal(decide(settled, [], { isFounderElsewhere: true }), settled)
})

test('shows the corners of an account without a vote until an account with one shows its own', () => {
  const forged = decide(none, [], { others: [seen('x', otherRoad)] })
  assert.deepEqual([numbers(forged), forged.isProvisional, forged.founderLapId], ['1:1 2:2 3:3', true, 'x'])
  const again = decide(forged, [], { others: [seen('x', otherRoad), seen('y', otherRoad)] })
  assert.equal(again.isProvisional, true)
  const settled = decide(again, [seen('a')], { others: ['x', 'y', 'z'].map(id => seen(id, otherRoad)) })
  assert.equal(numbers(settled), '4:1 5:2 6:3')
  assert.equal(settled.corners[0]!.direction, 'left')
  assert.deepEqual([settled.isProvisional, settled.founderLapId], [false, 'a'])
})

test('keeps the ids of provisional corners that the first account with a vote shows as well', () => {
  const provisional = decide(none, [], { others: [seen('x')] })
  const settled = decide(provisional, [seen('a', road(10))])
  assert.equal(numbers(settled), '1:1 2:2 3:3')
  assert.deepEqual([firstM(settled), settled.isProvisional], [310, false])
  const invented = { ...road()[0]!, startPct: 0.4, apexPct: 0.42, endPct: 0.44 }
  const forged = decide(none, [], { others: [seen('x', road().toSpliced(2, 0, invented))] })
  assert.equal(numbers(decide(forged, [seen('a')])), '1:1 2:2 7:3')
})

test('changes settled corners for no account without a vote', () => {
  const others = ['x', 'y', 'z'].map(lapId => seen(lapId, road(10)))
  assert.equal(decide(first, [seen('a')], { others }), first)
  assert.equal(decide(first, [], { others }), first)
})

test('shows provisional corners while accounts with a vote disagree', () => {
  const provisional = decide(none, [], { others: [seen('x')] })
  const disagreeing = [seen('a', otherRoad), seen('b', [])]
  assert.equal(decide(provisional, disagreeing, { others: [seen('x')] }), provisional)
})
