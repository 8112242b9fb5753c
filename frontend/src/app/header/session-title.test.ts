import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Preview } from '@lapwing/telemetry'
import { aPreview } from '#testing/a-preview.ts'
import { sessionTitle } from './session-title.ts'

const { meta, debug } = aPreview({ completeLaps: 1, sampleRateHz: 4 })
const nothing: Preview['debug'] = {
  ...debug,
  weekend: { TrackDisplayName: null, TrackName: null },
  car: { CarScreenName: null, CarPath: null },
}

test('shows track — car, with the air temperature and the sky', () => {
  assert.deepEqual(sessionTitle({ meta, debug }), {
    name: 'Plover Park — Training Single-Seater',
    airTempC: 22,
    sky: 'Partly Cloudy',
  })
})

test('falls back to the names of the file, and to each other', () => {
  const blank = { ...meta, track_label: ' ', car_label: '' }
  const weekend = { TrackDisplayName: null, TrackName: 'plover park' }
  assert.equal(
    sessionTitle({ meta: blank, debug: { ...debug, weekend } }).name,
    'plover park — Training Single-Seater',
  )
  assert.equal(sessionTitle({ meta: blank, debug: { ...nothing, weekend } }).name, 'plover park')
  assert.equal(sessionTitle({ meta: blank, debug: nothing }).name, 'Unknown track and car')
})

test('shows the four skies of the specification, and none if the file does not say', () => {
  const sky = (Skies: 0 | 1 | 2 | 3 | null) =>
    sessionTitle({ meta: { ...meta, weather: { AirTemp: null, Skies } }, debug }).sky
  assert.deepEqual(
    [0, 1, 2, 3, null].map(value => sky(value as 0)),
    ['Clear', 'Partly Cloudy', 'Mostly Cloudy', 'Overcast', null],
  )
})
