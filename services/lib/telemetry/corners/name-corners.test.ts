import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { recordedTracks } from '../testing/recorded-tracks.ts'
import { type NumberedCorner, numberCorners } from './corner.ts'
import { findTrackCorners } from './find-track-corners.ts'
import { nameCorners } from './name-corners.ts'

const limeRock = { sim: 'iracing', track_slug: 'lime-rock-park', layout: 'grand-prix' }

test('names the corners of Lime Rock Park as drivers do, in every lap', {
  skip: sharedIbtMissing,
}, async () => {
  const recorded = await recordedTracks(sharedIbtFiles())
  const laps = recorded.filter(({ board }) => board.startsWith('lime-rock-park/grand-prix/'))
  assert.equal(laps.length, 2)
  for (const { track, name } of laps) {
    assert.deepEqual(
      nameCorners(numberCorners(findTrackCorners([track])), limeRock).map(corner => [
        corner.name,
        corner.knownAs,
      ]),
      [
        ['Turn 1', 'Big Bend'],
        ['Turn 2', 'The Left-Hander'],
        ['Turn 3', 'The Right-Hander'],
        ['Turn 4', 'The Uphill'],
        ['Turn 5', 'West Bend'],
        ['Turn 6', 'The Downhill'],
      ],
      name,
    )
  }
})

const corner = (change: Partial<NumberedCorner>): NumberedCorner => ({
  number: '1',
  startPct: 0.1,
  apexPct: 0.15,
  endPct: 0.2,
  direction: 'right',
  kind: 'turn',
  ...change,
})

test('names a corner only on its own track, in its direction, and if no other name fits', () => {
  const nameOf = (change: Partial<NumberedCorner>, track = limeRock) =>
    nameCorners([corner(change)], track)[0]!.knownAs
  assert.equal(nameOf({}), 'Big Bend')
  assert.equal(nameOf({ direction: 'left' }), null)
  assert.equal(nameOf({ endPct: 0.4 }), null)
  assert.equal(nameOf({}, { ...limeRock, layout: 'chicanes' }), null)
  assert.equal(nameOf({}, { ...limeRock, track_slug: 'constructor' }), null)
})

test('names ends of an oval by both of their turns', () => {
  const [end] = nameCorners([corner({ kind: 'oval_end', number: '3-4' })], limeRock)
  assert.equal(end!.name, 'Turns 3–4')
})
