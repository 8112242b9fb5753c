import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSightings, type StoredSighting } from './choose-sightings.ts'

const here = { lat: 50, lon: 8, lengthM: 3000 }

let sightings = 0
function seen(more: Partial<StoredSighting> = {}): StoredSighting {
  const number = ++sightings
  return {
    userId: `driver ${number}`,
    lapId: `lap ${number}`,
    lengthM: 3000,
    corners: [],
    timeMs: 90_000,
    recordedAt: new Date(number),
    location: here,
    voter: { network: `network ${number}`, createdAt: new Date(0) },
    ...more,
  }
}

test('counts one account of a network: the oldest', () => {
  const oldest = seen({ voter: { network: 'one', createdAt: new Date(1) }, timeMs: 95_000 })
  const younger = seen({ voter: { network: 'one', createdAt: new Date(2) } })
  const unknown = [1, 2].map(age => seen({ voter: { network: null, createdAt: new Date(age) } }))
  const { valid, others } = chooseSightings([younger, oldest, ...unknown], null)
  assert.deepEqual(valid, [unknown[0], oldest])
  assert.deepEqual(others, [younger, unknown[1]])
})

test('counts laps within 5 % of the length of the track: the agreed one, or that of most drivers', () => {
  const near = [seen({ lengthM: 2860 }), seen(), seen({ lengthM: 3140 })]
  const far = [seen({ lengthM: 2840 }), seen({ lengthM: 3160 }), seen({ lengthM: null })]
  assert.deepEqual(chooseSightings([...far, ...near], null).valid, near)
  // The length of forgers counts no more once the track has a location.
  const forged = [1, 2, 3, 4].map(() => seen({ lengthM: 5000 }))
  const located = chooseSightings([...forged, ...near], here)
  assert.deepEqual(located.valid, near)
})

test('drops laps of another place, or of none, once the track has a location', () => {
  const elsewhere = seen({ location: { ...here, lat: 50.01 } })
  const nowhere = seen({ location: null })
  const there = seen()
  const all = [elsewhere, nowhere, there]
  assert.deepEqual(chooseSightings(all, here), { valid: [there], others: [], surplus: [elsewhere, nowhere] })
  assert.deepEqual(chooseSightings(all, null).valid, all)
})
