import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseBase } from './choose-base.ts'
import { baseNote, mapProblem } from './map-words.ts'
import { streetViewAddress } from './street-view.ts'

const sources = {
  street: { style: 'https://tiles.example/style.json' },
  satellite: null,
  streetView: null,
  photo: [],
}

test('shows the wanted map, or says that the site has none', () => {
  assert.deepEqual(chooseBase(sources, 'street'), { base: sources.street, note: null })
  const { base, note } = chooseBase(sources, 'satellite')
  assert.equal(base, null)
  assert.match(note!, /no satellite pictures/)
  assert.deepEqual(chooseBase(sources, 'street', 'satellite'), { base: sources.street, note })
})

test('says what the map lacks', () => {
  const fine = { base: 'shown', isLost: false } as const
  assert.equal(baseNote(fine, true), null)
  assert.equal(baseNote({ ...fine, base: 'missing' }, false), null)
  assert.match(baseNote({ ...fine, base: 'missing' }, true)!, /do not load/)
  assert.match(baseNote({ ...fine, base: 'broken' }, true)!, /Some pictures/)
  assert.match(baseNote({ ...fine, isLost: true }, false)!, /graphics card/)
  assert.equal(mapProblem({ problem: null }), null)
  assert.match(mapProblem({ problem: 'no-webgl' })!, /WebGL/)
  assert.match(mapProblem({ problem: 'no-positions' })!, /no positions/)
})

test('writes a place into the address of a street view', () => {
  assert.equal(
    streetViewAddress('https://maps.example/?at={lat},{lon}', { lat: 51.5, lon: -1.25 }),
    'https://maps.example/?at=51.500000,-1.250000',
  )
})
