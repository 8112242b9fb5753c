import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Preview } from '@lapwing/telemetry'
import { aPreview } from '#testing/a-preview.ts'
import { gaugeValues, rpmBand, rpmMarks } from './gauge-values.ts'

const row = 700

function aSample(
  values: Partial<Record<'throttle' | 'brake' | 'gear' | 'rpm' | 'steeringWheelAngle' | 'speed', number>>,
): Preview {
  const preview = aPreview()
  for (const [name, value] of Object.entries(values)) preview[name as 'throttle'][row] = value
  return preview
}

test('applies pedal colours above 0.02', () => {
  const at = (brake: number) => gaugeValues(aSample({ brake }), row, 'km/h').brake.isPressed
  assert.deepEqual([at(0), at(0.02), at(0.03)], [false, false, true])
})

test('limits pedals to 0..1', () => {
  const values = gaugeValues(aSample({ throttle: 1.4, brake: -0.2 }), row, 'km/h')
  assert.deepEqual([values.throttle.share, values.throttle.text], [1, '100'])
  assert.deepEqual([values.brake.share, values.brake.text], [0, '0'])
})

test('shows the engine amber from 75 % and red from 85 % of 8000', () => {
  const at = (rpm: number) => gaugeValues(aSample({ rpm }), row, 'km/h').rpm.band
  assert.deepEqual([5999, 6000, 6799, 6800, 9000].map(at), ['normal', 'amber', 'amber', 'red', 'red'])
  assert.equal(rpmBand(0.75), 'amber')
  assert.equal(gaugeValues(aSample({ rpm: 9000 }), row, 'km/h').rpm.share, 1)
})

test('shows gear 0 as N and a negative gear as R', () => {
  const at = (gear: number) => {
    const preview = aPreview()
    // Longer than a shift.
    preview.gear.fill(gear, row - 30, row + 30)
    return gaugeValues(preview, row, 'km/h').gear
  }
  assert.deepEqual([-1, 0, 3].map(at), ['R', 'N', '3'])
})

test('holds the gear during a shift', () => {
  const preview = aSample({ gear: 0 })
  assert.equal(gaugeValues(preview, row, 'km/h').gear, String(preview.gear[row - 1]))
})

test('marks shift light and red line of the car within the scale, each only if the file has it', () => {
  assert.deepEqual(rpmMarks({ shift_rpm: 7100.4, red_line_rpm: 7600 }), [
    { label: 'Shift', rpm: 7100, share: 0.88755 },
    { label: 'Red line', rpm: 7600, share: 0.95 },
  ])
  assert.deepEqual(rpmMarks({ shift_rpm: null, red_line_rpm: 9000 }), [])
})

test('shows speed in the chosen unit, and steering in degrees, positive to the left', () => {
  const values = gaugeValues(aSample({ speed: 31.4, steeringWheelAngle: Math.PI / 18 }), row, 'km/h')
  assert.equal(values.speed, '113')
  assert.equal(gaugeValues(aSample({ speed: 44.704 }), row, 'mph').speed, '100')
  assert.equal(values.steering.text, '+10°')
  assert.ok(Math.abs(values.steering.degrees - 10) < 1e-4)
})

test('shows a dash, never NaN, for what the file does not hold', () => {
  const nothing = Number.NaN
  const preview = aSample({ speed: nothing, rpm: nothing, steeringWheelAngle: nothing, throttle: nothing })
  const values = gaugeValues({ ...preview, debug: { ...preview.debug, missing: ['gear'] } }, row, 'km/h')
  assert.deepEqual(
    [values.speed, values.rpm.text, values.steering.text, values.gear, values.throttle.text],
    ['–', '–', '–', '–', '0'],
  )
  assert.ok(!JSON.stringify(values).includes('null'))
})

test('reads nothing from a row past the end of the file', () => {
  const preview = aPreview()
  assert.equal(gaugeValues(preview, preview.speed.length + 5, 'km/h').speed, '–')
})
