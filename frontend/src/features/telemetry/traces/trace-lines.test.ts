import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deltaTrace, lapTrack } from '@lapwing/telemetry/compare'
import { aPreview } from '#testing/a-preview.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { mainSeries } from '../lap-series.ts'
import { trackSeries } from '../track-series.ts'
import { DELTA_CHANNEL, TRACE_CHANNELS } from './trace-channels.ts'
import { traceLines } from './trace-lines.ts'

const lengthM = 3200
const preview = aPreview({ lengthM })
const [, lap, other] = preview.laps
const main = mainSeries(preview, lap!)
const tracks = [lapTrack(preview, lap!)!, lapTrack(preview, other!)!] as const
const comparison: LapComparison = {
  reference: trackSeries('Lap 3', tracks[1], lengthM),
  lengthM,
  delta: { seconds: deltaTrace(tracks[0], tracks[1]).delta, missedMs: 0 },
  corners: [],
  incidents: [],
}
const channel = (series: string) => TRACE_CHANNELS.find(entry => entry.series === series)!

test('has one line a chart and no delta for a lap alone', () => {
  const lines = traceLines(main, null)
  assert.deepEqual(
    lines.of(channel('speed')).map(line => line.role),
    ['lap'],
  )
  assert.deepEqual(lines.of(DELTA_CHANNEL), [])
})

test('draws the reference first, so that the driver’s own line is on top', () => {
  const lines = traceLines(main, comparison)
  assert.deepEqual(
    lines.of(channel('speed')).map(line => line.role),
    ['reference', 'lap'],
  )
})

test('reads values of both laps at the same position', () => {
  const [reference, own] = traceLines(main, comparison).of(channel('speed'))
  for (const share of [0.1, 0.5, 0.93]) {
    let row = lap!.row_start
    while (preview.lapDistPct[row]! < share) row++
    assert.ok(Math.abs(own!.valueAt(row) - 3.6 * preview.speed[row]!) < 1e-3)
    const point = Math.round(preview.lapDistPct[row]! * (tracks[1].pct.length - 1))
    assert.ok(Math.abs(reference!.valueAt(row) - 3.6 * tracks[1].speed![point]!) < 1e-3)
  }
})

test('starts the delta at zero, ends it at the lap’s end, and reads it at any row', () => {
  const [line] = traceLines(main, comparison).of(DELTA_CHANNEL)
  assert.equal(line!.metres[0], 0)
  assert.ok(Math.abs(line!.metres.at(-1)! - lengthM) < 1e-6)
  assert.equal(line!.values[0], 0)
  const { seconds } = comparison.delta!
  assert.ok(Math.abs(line!.valueAt(lap!.row_end) - seconds.at(-1)!) < 0.01)
})

test('draws the gear through a shift, for both laps, and leaves the recording as it is', () => {
  const withShift = { ...preview, gear: preview.gear.slice() }
  const row = lap!.row_start + 400
  withShift.gear.fill(4, row - 20, row + 20).fill(0, row, row + 6)
  const track = lapTrack(withShift, lap!)!
  assert.ok(track.gear!.includes(0))
  const reference = trackSeries('The same lap', track, lengthM)
  const lines = traceLines({ ...main, preview: withShift }, { ...comparison, reference })
  for (const line of lines.of(channel('gear'))) {
    for (let at = row - 20; at < row + 20; at++) assert.equal(line.valueAt(at), 4)
  }
  assert.equal(withShift.gear[row], 0)
})

test('has no line for a channel that one lap lacks, not even a pedal at zero', () => {
  const { brake: _brake, ...rest } = tracks[1]
  const without = { ...comparison, reference: trackSeries('Lap 3', rest, lengthM) }
  const [reference, own] = traceLines(main, without).of(channel('brake'))
  assert.ok(reference!.values.every(Number.isNaN))
  assert.ok(Number.isNaN(reference!.valueAt(lap!.row_start + 40)))
  assert.ok(own!.values.some(value => value > 0))
})
