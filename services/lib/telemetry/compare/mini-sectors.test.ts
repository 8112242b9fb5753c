import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { MINI_SECTORS, miniSectorTimes } from './mini-sectors.ts'

test('splits a lap into even parts of its distance, which add up to its time', () => {
  const pace = (pct: number): number => 60 * pct + 2 * Math.sin(2 * Math.PI * pct)
  fc.assert(
    fc.property(fc.integer({ min: 500, max: 3000 }), fc.integer({ min: 1, max: 60 }), (points, count) => {
      const track = syntheticTrack({ points, time: pace })
      const seconds = miniSectorTimes(track, count)
      assert.equal(seconds.length, count)
      assert.ok(Math.abs(seconds.reduce((sum, each) => sum + each, 0) - track.time.at(-1)!) < 1e-9)
      seconds.forEach((each, i) => {
        assert.ok(Math.abs(each - (pace((i + 1) / count) - pace(i / count))) < 1e-3)
      })
    }),
  )
  assert.equal(miniSectorTimes(syntheticTrack({ time: pace })).length, MINI_SECTORS)
})
