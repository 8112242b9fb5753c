import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Rgb, skyLight, timeOfLapS } from './sky-light.ts'

const clearNoon = { skies: 0, timeOfDayS: 13 * 3600, isDarkTheme: false } as const
const bright = ([r, g, b]: Rgb) => r + g + b

test('the sun rises in the east, is in the south at midday and sets in the west', () => {
  const sunAt = (hour: number) => skyLight({ ...clearNoon, timeOfDayS: hour * 3600 }).sun
  assert.ok(sunAt(8)[0] > 0.5)
  assert.ok(Math.abs(sunAt(13)[0]) < 0.01 && sunAt(13)[2] > 0.3)
  assert.ok(sunAt(18)[0] < -0.5)
  for (let hour = 0; hour < 24; hour++) {
    const [x, y, z] = sunAt(hour)
    assert.ok(y > 0 && Math.abs(Math.hypot(x, y, z) - 1) < 1e-9, `${hour}`)
  }
})

test('evenings are warm, nights are dark, clouds take the sun away', () => {
  const noon = skyLight(clearNoon)
  const evening = skyLight({ ...clearNoon, timeOfDayS: 19 * 3600 })
  const night = skyLight({ ...clearNoon, timeOfDayS: 2 * 3600 })
  assert.ok(evening.sunColour[0] / evening.sunColour[2] > 1.5 * (noon.sunColour[0] / noon.sunColour[2]))
  assert.ok(bright(night.sunColour) + bright(night.fromSky) < 0.3 * bright(noon.sunColour))
  assert.ok(bright(skyLight({ ...clearNoon, skies: 3 }).sunColour) < 0.5 * bright(noon.sunColour))
})

test('each lap has the sun of its own time; a file without a time has the usual one', () => {
  const meta = { time_of_day_s: 18 * 3600, sample_rate_hz: 60 }
  assert.equal(timeOfLapS(meta, { row_start: 0 }), 18 * 3600)
  // An hour later.
  assert.equal(timeOfLapS(meta, { row_start: 216_000 }), 19 * 3600)
  assert.equal(timeOfLapS({ ...meta, time_of_day_s: null }, { row_start: 216_000 }), null)
  const usual = skyLight({ ...clearNoon, timeOfDayS: null })
  assert.ok(usual.sun[0] < 0 && bright(usual.sunColour) > 0.5 * bright(skyLight(clearNoon).sunColour))
  // The hours after midnight continue the day.
  const night = skyLight({ ...clearNoon, timeOfDayS: 25 * 3600 })
  assert.deepEqual(night, skyLight({ ...clearNoon, timeOfDayS: 3600 }))
})

test('the dark theme is dimmer in every weather, and an unknown weather is a clear one', () => {
  for (const skies of [0, 1, 2, 3] as const) {
    const light = skyLight({ ...clearNoon, skies })
    const dark = skyLight({ ...clearNoon, skies, isDarkTheme: true })
    for (const part of ['sunColour', 'fromSky', 'horizon', 'zenith'] as const) {
      assert.ok(bright(dark[part]) < 0.75 * bright(light[part]), `${part} ${skies}`)
    }
  }
  assert.deepEqual(skyLight({ ...clearNoon, skies: null }), skyLight(clearNoon))
})
