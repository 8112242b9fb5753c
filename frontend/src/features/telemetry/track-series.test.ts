import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LapTrack, lapTrack } from '@lapwing/telemetry/compare'
import { aPreview } from '#testing/a-preview.ts'
import { trackSeries } from './track-series.ts'

const preview = aPreview()
const track = lapTrack(preview, preview.laps[1]!)!

test('makes a recording of one lap over its distance, on the given axis', () => {
  const { lap, name, role, preview: recording } = trackSeries('slipstream', track, 3200)
  assert.deepEqual([name, role], ['slipstream', 'reference'])
  assert.deepEqual([lap.row_start, lap.row_end, lap.is_completed], [0, track.pct.length - 1, true])
  assert.equal(recording.lapDist[0], 0)
  assert.equal(recording.lapDist.at(-1), 3200)
  assert.equal(recording.speed, track.speed)
  assert.equal(recording.steeringWheelAngle, track.steering)
  assert.deepEqual(recording.debug.missing, [])
})

test('names the channels that the lap lacks, and fills them with NaN', () => {
  const { lat: _lat, gear: _gear, brake: _brake, ...rest } = track
  const { preview: recording } = trackSeries('slipstream', rest as LapTrack, 3200)
  assert.deepEqual([...recording.debug.missing].sort(), ['brake', 'gear', 'lat'])
  assert.ok(Number.isNaN(recording.lat[5]!) && Number.isNaN(recording.brake[5]!))
  assert.equal(recording.gear.length, track.pct.length)

  const { lengthM, timeMs, pct, time } = track
  const bare = trackSeries('slipstream', { lengthM, timeMs, pct, time }, 3200)
  const { meta: _meta, debug, ...series } = bare.preview
  const always = ['lapDist', 'lapDistPct', 'sessionTime']
  const optional = Object.keys(series).filter(channel => !always.includes(channel))
  assert.deepEqual(debug.missing.toSorted(), optional.toSorted())
})
