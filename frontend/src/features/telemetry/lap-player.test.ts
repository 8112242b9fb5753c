import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { createCursorStore } from './cursor-store.ts'
import { createLapPlayer } from './lap-player.ts'

/** Returns a player with animation frames that the test runs itself. */
function harness() {
  const preview = aPreview({ completeLaps: 1 })
  const lap = preview.laps[1]!
  const cursor = createCursorStore()
  let frame: ((timeMs: number) => void) | null = null
  const player = createLapPlayer(cursor, callback => {
    frame = callback
    return 1
  })
  let timeMs = 5000
  const run = (milliseconds: number, stepMs = 16) => {
    for (const end = timeMs + milliseconds; timeMs < end && frame; ) {
      const due: (timeMs: number) => void = frame
      frame = null
      due(timeMs)
      timeMs += stepMs
    }
  }
  return { preview, lap, cursor, player, run }
}

test('plays a lap in real time from its start, with the cursor locked', () => {
  const { preview, lap, cursor, player, run } = harness()
  player.play(preview, lap)
  run(2016)
  const { row, locked } = cursor.get()
  const played = preview.sessionTime[row!]! - preview.sessionTime[lap.row_start]!
  assert.ok(Math.abs(played - 2) < 0.03, `played ${played} s`)
  assert.equal(locked, true)
})

test('starts at a cursor inside the lap', () => {
  const { preview, lap, cursor, player } = harness()
  cursor.hover(lap.row_start + 500)
  player.play(preview, lap)
  assert.deepEqual(cursor.get(), { row: lap.row_start + 500, locked: true })
})

test('ends at the lap’s last row, and plays again from the start', () => {
  const { preview, lap, cursor, player, run } = harness()
  cursor.hover(lap.row_end - 30)
  player.play(preview, lap)
  run(2000)
  assert.equal(cursor.get().row, lap.row_end)
  assert.equal(player.playing.get(), false)
  player.play(preview, lap)
  assert.equal(cursor.get().row, lap.row_start)
})

test('ends when the cursor is unlocked', () => {
  const { preview, lap, cursor, player, run } = harness()
  player.play(preview, lap)
  run(500)
  cursor.toggleLock(null)
  const { row } = cursor.get()
  run(500)
  assert.equal(player.playing.get(), false)
  assert.equal(cursor.get().row, row)
})

test('holds the cursor on pause, still locked', () => {
  const { preview, lap, cursor, player, run } = harness()
  player.play(preview, lap)
  run(500)
  player.pause()
  const before = cursor.get()
  run(500)
  assert.equal(cursor.get(), before)
  assert.equal(before.locked, true)
})

test('continues from where a key moved the cursor', () => {
  const { preview, lap, cursor, player, run } = harness()
  player.play(preview, lap)
  run(200)
  cursor.move(lap.row_start + 2000)
  run(200)
  assert.ok(cursor.get().row! >= lap.row_start + 2000 && cursor.get().row! < lap.row_start + 2030)
})

test('does not skip ahead after the page was asleep', () => {
  const { preview, lap, cursor, player, run } = harness()
  player.play(preview, lap)
  run(20_000, 10_000)
  const played = preview.sessionTime[cursor.get().row!]! - preview.sessionTime[lap.row_start]!
  assert.ok(played < 0.25, `played ${played} s`)
})

test('plays rows without a time at the sample rate', () => {
  const { preview, lap, cursor, player, run } = harness()
  player.play({ ...preview, sessionTime: new Float64Array(preview.sessionTime.length).fill(Number.NaN) }, lap)
  run(1016)
  assert.ok(Math.abs(cursor.get().row! - lap.row_start - 60) <= 2)
})
