import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource, openIbt, previewSession } from '@lapwing/telemetry'
import { findTrackCorners, lapTrack } from '@lapwing/telemetry/compare'
import { demoBoards } from './boards.ts'
import { demoFile } from './demo-file.ts'
import { type DemoEntry, DRIVERS, drawEntries } from './draw-entries.ts'

const now = new Date('2026-06-01T12:00:00Z')
const { drivers, entries } = drawEntries(demoBoards, 7, now)

const judge = async (entry: DemoEntry) => {
  const source = bytesSource(demoFile(entry))
  const { laps, meta } = await previewSession(source)
  const { session } = await openIbt(source)
  return { laps, meta, session, complete: laps.filter(lap => lap.is_completed) }
}

test('gives every driver a demo name and a driver number of their own', () => {
  assert.equal(drivers.length, DRIVERS)
  assert.ok(drivers.every(({ name }) => /^Demo driver \d{4}$/.test(name)))
  assert.equal(new Set(drivers.map(({ name }) => name)).size, DRIVERS)
  // The simulator's real driver numbers have seven digits.
  assert.ok(drivers.every(({ simDriverId }) => simDriverId >= 2_000_000_000 && simDriverId < 2 ** 31))
  const again = drawEntries(demoBoards, 7, now).drivers
  assert.ok(again.every(({ userId }) => !drivers.some(driver => driver.userId === userId)))
})

test('puts the right number of drivers on each board, each of them once', () => {
  for (const board of demoBoards) {
    const there = entries.filter(entry => entry.board === board).map(({ driver }) => driver.userId)
    assert.equal(new Set(there).size, board.drivers)
    assert.equal(there.length, board.drivers)
  }
})

for (const board of demoBoards) {
  test(`judges files for ${board.trackDisplayName} in a ${board.carScreenName} like real ones`, async () => {
    const there = entries.filter(other => other.board === board)
    const byPace = there.toSorted((a, b) => a.pace - b.pace)
    for (const entry of [byPace[0]!, byPace.at(-1)!, ...there.filter(({ isDirty }) => isDirty)]) {
      const { complete, session } = await judge(entry)
      assert.equal(complete.length, 1)
      assert.equal(complete[0]!.time_source, 'official')
      // Without coordinates no lap can be proved clean.
      const blemishes = entry.isDirty ? ['INCIDENT', 'OFF_TRACK'] : []
      if (!board.isFictional) blemishes.push('UNVERIFIABLE')
      assert.deepEqual(complete[0]!.reasons.toSorted(), blemishes)
      assert.equal(session.userId, entry.driver.simDriverId)
      assert.equal(session.trackId, board.trackId)
    }
  })
}

test('makes a higher pace a faster lap, and no two laps the same', async () => {
  const [board] = demoBoards
  const few = entries.filter(entry => entry.board === board && !entry.isDirty).slice(0, 12)
  const timed = await Promise.all(
    few.map(async ({ ...entry }) => ({ pace: entry.pace, timeS: (await judge(entry)).complete[0]!.time_s! })),
  )
  timed.sort((a, b) => b.pace - a.pace)
  assert.equal(new Set(timed.map(({ timeS }) => timeS)).size, timed.length)
  assert.ok(timed.at(-1)!.timeS > timed[0]!.timeS + 0.5)
})

test('simulates the sample session’s own track on the first board, corner by corner', async () => {
  const sample = await previewSession(bytesSource(makeSampleSession()))
  const entry = entries.find(({ board, isDirty }) => board === demoBoards[0] && !isDirty)!
  const demo = await previewSession(bytesSource(demoFile(entry)))
  for (const name of ['track_slug', 'layout', 'car_slug', 'track_label', 'car_label'] as const) {
    assert.equal(demo.meta[name], sample.meta[name])
  }
  const cornersOf = (preview: typeof demo) =>
    findTrackCorners([lapTrack(preview, preview.laps.find(lap => lap.is_clean)!)!])
  const [ours, theirs] = [cornersOf(demo), cornersOf(sample)]
  assert.deepEqual(
    ours.map(({ direction }) => direction),
    theirs.map(({ direction }) => direction),
  )
  ours.forEach((corner, i) => {
    assert.ok(Math.abs(corner.apexPct - theirs[i]!.apexPct) < 0.03, `corner ${i + 1} lies elsewhere`)
  })
})
