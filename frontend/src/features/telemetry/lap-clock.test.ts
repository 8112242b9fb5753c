import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lapTrack } from '@lapwing/telemetry/compare'
import { aPreview } from '#testing/a-preview.ts'
import { createCursorStore } from './cursor-store.ts'
import { CLOCK_RATES, createLapClock, rowBeside } from './lap-clock.ts'
import { mainSeries } from './lap-series.ts'
import { gapM, lapSeconds, rowAtTime, secondsAt, valueAtRow } from './lap-time.ts'
import { trackSeries } from './track-series.ts'

/** Returns a clock with animation frames that the test runs itself. */
function harness() {
  const preview = aPreview({ completeLaps: 2 })
  const main = mainSeries(preview, preview.laps[1]!)
  const { lap } = main
  const cursor = createCursorStore()
  let frame: ((timeMs: number) => void) | null = null
  const clock = createLapClock(cursor, callback => {
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
  return { preview, main, lap, cursor, clock, run }
}

test('has rates from a quarter to eight times', () => {
  assert.deepEqual(CLOCK_RATES, [0.25, 0.5, 1, 2, 4, 8])
})

for (const rate of CLOCK_RATES) {
  test(`plays a lap ${rate} times as fast as it was driven, with the cursor locked`, () => {
    const { preview, main, lap, cursor, clock, run } = harness()
    clock.setRate(rate)
    clock.play(main)
    run(2016)
    const { row, locked } = cursor.get()
    const played = preview.sessionTime[row!]! - preview.sessionTime[lap.row_start]!
    assert.ok(Math.abs(played - 2 * rate) < 0.03 * Math.max(1, rate), `played ${played} s`)
    assert.equal(locked, true)
  })
}

test('starts at a cursor inside the lap', () => {
  const { main, lap, cursor, clock } = harness()
  cursor.hover(lap.row_start + 500)
  clock.play(main)
  assert.deepEqual(cursor.get(), { row: lap.row_start + 500, locked: true })
})

test('ends at the lap’s last row, and plays again from the start', () => {
  const { main, lap, cursor, clock, run } = harness()
  cursor.hover(lap.row_end - 30)
  clock.play(main)
  run(2000)
  assert.equal(cursor.get().row, lap.row_end)
  assert.equal(clock.get().isPlaying, false)
  assert.equal(clock.get().timeS, lapSeconds(main))
  clock.play(main)
  assert.equal(cursor.get().row, lap.row_start)
})

test('ends when the cursor is unlocked, and returns it to the pointer', () => {
  const { main, cursor, clock, run } = harness()
  clock.play(main)
  run(500)
  cursor.toggleLock(null)
  const { row } = cursor.get()
  run(500)
  assert.deepEqual(clock.get(), { timeS: null, isPlaying: false, rate: 1 })
  assert.equal(cursor.get().row, row)
})

test('holds the cursor on pause, still locked, and continues from there', () => {
  const { main, cursor, clock, run } = harness()
  clock.toggle(main)
  run(500)
  clock.toggle(main)
  const before = cursor.get()
  const { timeS } = clock.get()
  run(500)
  assert.equal(cursor.get(), before)
  assert.equal(before.locked, true)
  clock.toggle(main)
  assert.equal(clock.get().timeS, timeS)
})

test('continues from where a key moved the cursor, also while paused', () => {
  const { main, lap, cursor, clock, run } = harness()
  clock.play(main)
  run(200)
  cursor.move(lap.row_start + 2000)
  run(200)
  assert.ok(cursor.get().row! >= lap.row_start + 2000 && cursor.get().row! < lap.row_start + 2030)
  clock.pause()
  cursor.move(lap.row_start + 100)
  assert.equal(clock.get().timeS, secondsAt(main, lap.row_start + 100))
})

test('shows any time of the lap, and no time outside of it', () => {
  const { main, lap, cursor, clock } = harness()
  clock.seek(main, 10)
  assert.equal(clock.get().timeS, 10)
  assert.equal(clock.get().isPlaying, false)
  assert.ok(Math.abs(secondsAt(main, cursor.get().row!) - 10) < 1 / 60)
  clock.seek(main, 1e6)
  assert.equal(cursor.get().row, lap.row_end)
  clock.seek(main, -5)
  assert.equal(cursor.get().row, lap.row_start)
})

test('does not skip ahead after the page was asleep', () => {
  const { preview, main, lap, cursor, clock, run } = harness()
  clock.play(main)
  run(20_000, 10_000)
  const played = preview.sessionTime[cursor.get().row!]! - preview.sessionTime[lap.row_start]!
  assert.ok(played < 0.25, `played ${played} s`)
})

test('plays rows without a time at the sample rate', () => {
  const { preview, main, lap, cursor, clock, run } = harness()
  const sessionTime = new Float64Array(preview.sessionTime.length).fill(Number.NaN)
  clock.play({ ...main, preview: { ...preview, sessionTime } })
  run(1016)
  assert.ok(Math.abs(cursor.get().row! - lap.row_start - 60) <= 2)
})

test('shows the other lap at the same time while the clock is on, otherwise at the same position', () => {
  const { preview, main, lap, cursor, clock } = harness()
  const track = lapTrack(preview, preview.laps[2]!)!
  const other = trackSeries('Lap 3', track, 3200)
  const shareOf = (row: number) => valueAtRow(other.preview.lapDistPct, row)
  const row = lap.row_start + 1500

  cursor.hover(row)
  const beside = rowBeside(clock, main, row, other)!
  assert.ok(Math.abs(shareOf(beside) - preview.lapDistPct[row]!) < 1 / 3200)

  clock.seek(main, secondsAt(main, row))
  const ghost = rowBeside(clock, main, row, other)!
  assert.ok(Math.abs(valueAtRow(other.preview.sessionTime, ghost) - secondsAt(main, row)) < 1e-9)
  // Lap 3 is the faster one.
  assert.ok(shareOf(ghost) > preview.lapDistPct[row]!)
})

test('tells how many metres the other lap is ahead', () => {
  const { preview, main } = harness()
  const faster = mainSeries(preview, preview.laps[2]!)
  const ahead = gapM(main, faster, 3200, 30)
  assert.ok(ahead > 3 && ahead < 40, `${ahead} m`)
  assert.ok(Math.abs(ahead + gapM(faster, main, 3200, 30)) < 1e-9)
  assert.ok(Math.abs(gapM(main, faster, 3200, 0.02)) < 0.5)
})

test('finds for every time the place that the lap had then, between two rows', () => {
  const { preview, lap, main } = harness()
  const track = lapTrack(preview, preview.laps[1]!)!
  const copy = trackSeries('The same lap', track, 3200)
  for (let timeS = 0.05; timeS < lapSeconds(main); timeS += 0.173) {
    const [a, b] = [main, copy].map(of => valueAtRow(of.preview.lapDistPct, rowAtTime(of, timeS)))
    // A tenth of a metre.
    assert.ok(Math.abs(a! - b!) < 0.1 / 3200, `${timeS} s: ${(a! - b!) * 3200} m`)
  }
  assert.equal(rowAtTime(main, -1), lap.row_start)
  assert.equal(rowAtTime(main, 1e6), lap.row_end)
})

test('counts the time from the line, which the first row has already passed', () => {
  const { preview, lap, main } = harness()
  const later = { ...lap, row_start: lap.row_start + 1 }
  const sinceLine = secondsAt({ preview, lap: later }, later.row_start)
  assert.ok(Math.abs(sinceLine - 1 / 60) < 1e-3, `${sinceLine} s`)
  // A lap from the pits has no line.
  assert.equal(secondsAt({ preview, lap: { ...later, is_completed: false } }, later.row_start), 0)
  assert.equal(secondsAt(main, lap.row_start), 0)
})
