import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { findTrackCorners, lapTrack, nameCorners, numberCorners } from '../compare/compare.ts'
import { lapTimeMs } from '../laps/lap-time-ms.ts'
import { previewSession } from '../preview/preview-session.ts'
import {
  alignLap,
  bestMiniSectors,
  cornerSpreads,
  drivenBest,
  lapSpread,
  measuredLaps,
  miniSectorLosses,
  sectorBests,
  trackOutline,
  usualLosses,
} from './stints.ts'

/** Aligns the measured laps of a session, and checks what must hold for any. */
async function alignedSession(bytes: Uint8Array) {
  const preview = await previewSession(bytesSource(bytes))
  const { laps, areClean } = measuredLaps(preview.laps)
  const tracks = laps.map(lap => lapTrack(preview, lap)!)
  const corners =
    tracks.length === 0 ? [] : nameCorners(numberCorners(findTrackCorners(tracks)), preview.meta)
  const aligned = laps.map((lap, i) => alignLap(lap.row_start, tracks[i]!, corners))
  for (const [i, { miniSectorsS }] of aligned.entries()) {
    assert.ok(Math.abs(sum(miniSectorsS) - laps[i]!.time_s) < 0.02)
  }
  const best = lapSpread(laps.map(({ time_s }) => time_s))?.bestS ?? Number.NaN
  const sectors = sectorBests(laps)
  if (sectors !== null) {
    assert.ok(lapTimeMs(sectors.theoreticalS) <= lapTimeMs(best))
    for (const lap of laps) assert.equal(lapTimeMs(sum(lap.figures!.sectors_s)), lapTimeMs(lap.time_s))
  }
  const bests = bestMiniSectors(aligned)
  assert.ok(!(sum(bests) > best + 0.02))
  for (const each of aligned) assert.ok(miniSectorLosses(each, bests).every(loss => loss >= 0))
  for (const spread of cornerSpreads(corners, aligned)) {
    assert.ok(spread.bestS > 0)
    const order = [spread.bestS, spread.fastS, spread.medianS, spread.slowS]
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
  }
  return { preview, laps, areClean, tracks, corners, aligned, bests, sectors }
}

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, each) => total + each, 0)

test('aligns the clean laps of a session: sectors, mini-sectors and corners add up, bests are the least', async () => {
  const { areClean, aligned, bests, corners, sectors, tracks } = await alignedSession(makeSampleSession())
  assert.ok(areClean)
  assert.ok(aligned.length >= 4)
  assert.equal(sectors!.bests.length, 3)
  assert.ok(corners.length >= 8)
  assert.ok(usualLosses(aligned, bests).every(loss => loss >= 0))
  const outline = trackOutline(tracks[0]!, 101)
  assert.equal(outline.length, 202)
})

test('finds the corner and the mini-sectors in which a lap lost its time', async () => {
  const { preview, bests, corners } = await alignedSession(makeSampleSession())
  // The driver of the sample leaves the track at 54 % of the third lap, which is not clean.
  const off = preview.laps.find(({ lap, is_completed }) => lap === 3 && is_completed)!
  assert.equal(off.is_clean, false)
  const track = lapTrack(preview, off)!
  const lost = miniSectorLosses(alignLap(off.row_start, track, corners), bests)
  const worst = lost.indexOf(Math.max(...lost))
  assert.ok(worst >= 13 && worst <= 15, `${worst}`)
  assert.ok(lost[worst]! > 0.5)
})

test('puts the theoretical best together from sectors of several laps, faster than any of them', async () => {
  const { laps } = await alignedSession(makeSampleSession())
  const [lap] = laps
  const withSectors = (...sectors_s: number[]) => ({ ...lap!, figures: { ...lap!.figures!, sectors_s } })
  const driven = [withSectors(20.1, 30.2, 10.3), withSectors(20.2, 30.1, 10.3), withSectors(20.3, 30.3, 10.1)]
  const { bests, theoreticalS } = sectorBests(driven)!
  assert.deepEqual(
    bests.map(({ lap }) => driven.indexOf(lap as (typeof driven)[number])),
    [0, 1, 2],
  )
  assert.equal(theoreticalS, 60.3)
  assert.equal(drivenBest(bests), null)
  assert.equal(drivenBest(sectorBests(driven.slice(0, 1))!.bests), driven[0])
})

test('has no spread without laps, and none of corners, sectors or mini-sectors', () => {
  assert.equal(lapSpread([]), null)
  assert.deepEqual(lapSpread([62, 60, 61]), { bestS: 60, medianS: 61, spreadS: null })
  assert.deepEqual(lapSpread([62, 60, 61, 63, 64]), { bestS: 60, medianS: 62, spreadS: 2 })
  assert.deepEqual(cornerSpreads([], []), [])
  assert.equal(sectorBests([]), null)
  assert.equal(bestMiniSectors([]).length, 0)
})

test('aligns recorded laps, of old files by their complete laps', { skip: sharedIbtMissing }, async () => {
  for (const { bytes, name } of sharedIbtFiles()) {
    const { areClean, aligned } = await alignedSession(bytes)
    if (name.includes('langley-2')) assert.deepEqual([areClean, aligned.length], [false, 2])
  }
})
