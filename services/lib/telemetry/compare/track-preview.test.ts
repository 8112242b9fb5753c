import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource } from '../byte-source.ts'
import { PREVIEW_CHANNELS } from '../preview/preview-channels.ts'
import { previewSession } from '../preview/preview-session.ts'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { type LapTrack, lapTrack } from './lap-track.ts'
import type { Reference } from './reference.ts'
import { TRACK_SERIES_NAMES } from './series.ts'
import { type SavedLapFacts, trackPreview } from './track-preview.ts'

const facts: Reference['facts'] = {
  lapId: '0197a3de-6c00-7000-8000-000000000001',
  userId: 'user-1',
  timeSource: 'official',
  combination: {
    sim: 'iracing',
    track_slug: 'greywater-park',
    layout: 'default',
    car_slug: 'lapwing-gt',
    track_label: 'Greywater Park',
    car_label: 'Lapwing GT',
  },
}

const saved: SavedLapFacts = {
  lap: 5,
  isClean: false,
  reasons: ['OFF_TRACK'],
  sessionName: 'Race',
  weather: { AirTemp: 21.5, Skies: 1 },
}

/** Opens a stored lap and cuts it out again. */
function roundTrip(track: LapTrack): LapTrack {
  const preview = trackPreview({ facts, track }, saved)
  const again = lapTrack(preview, preview.laps[0]!)
  assert.ok(again)
  return again
}

/** How far apart the series of a lap may be, in their units. */
const CLOSE: Readonly<Record<string, number>> = { pct: 1e-12, time: 2e-4, lat: 1e-8, lon: 1e-8 }

function assertSame(again: LapTrack, track: LapTrack): void {
  assert.equal(again.lengthM, track.lengthM)
  assert.equal(again.timeMs, track.timeMs)
  assert.equal(again.incidents?.length, track.incidents?.length)
  for (const name of TRACK_SERIES_NAMES) {
    const [a, b] = [again[name], track[name]]
    assert.equal(a?.length, b?.length, name)
    // The first and the last point lie on the lines, where a pedal that is just pressed cannot be mirrored.
    for (let i = 1; i < (a?.length ?? 0) - 1; i++) {
      const span = Math.max(...[b![i - 1]!, b![i]!, b![i + 1]!]) - Math.min(b![i - 1]!, b![i]!, b![i + 1]!)
      const apart = Math.abs(a![i]! - b![i]!)
      assert.ok(apart <= (CLOSE[name] ?? 1e-5) + span * 0.02, `${name} at ${i}: ${a![i]} for ${b![i]}`)
    }
  }
  assert.ok(Math.abs(again.time.at(-1)! - track.time.at(-1)!) < 2e-4)
}

test('opens each lap of a session again as the lap that was stored', async () => {
  const session = await previewSession(bytesSource(makeSampleSession()))
  const tracks = session.laps.flatMap(lap => lapTrack(session, lap) ?? [])
  assert.ok(tracks.length >= 2)
  for (const track of tracks) assertSame(roundTrip(track), track)
})

test('opens a lap without optional channels or a length, and says what is missing', () => {
  const track = syntheticTrack({ points: 4001, lengthM: null, time: pct => 60 * pct + 5 * pct * pct })
  const preview = trackPreview({ facts, track }, saved)
  const always = ['lapDistPct', 'sessionTime']
  const optional = Object.keys(PREVIEW_CHANNELS).filter(name => !always.includes(name))
  assert.deepEqual(preview.debug.missing.toSorted(), optional.toSorted())
  const again = roundTrip(track)
  assert.equal(again.speed, undefined)
  assert.ok(Math.abs(again.time.at(-1)! - 65) < 2e-4)
})

test('keeps verdict, time, place and weather of the lap', () => {
  const track = { ...syntheticTrack(), incidents: [{ kind: 'off_track', fromPct: 0.4, toPct: 0.5 } as const] }
  const preview = trackPreview({ facts, track }, saved)
  const [lap] = preview.laps
  assert.deepEqual(
    [lap?.lap, lap?.time_fmt, lap?.is_completed, lap?.is_clean, lap?.reasons, lap?.session_name],
    [5, '1:00.000', true, false, ['OFF_TRACK'], 'Race'],
  )
  assert.deepEqual(lap?.incidents, [{ kind: 'off_track', row_start: 400, row_end: 500 }])
  assert.deepEqual(preview.meta.weather, saved.weather)
  assert.equal(preview.meta.track_label, 'Greywater Park')
  assert.ok(Math.abs(roundTrip(track).incidents![0]!.fromPct - 0.4) < 0.002)
})
