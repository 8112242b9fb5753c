import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { aPreview } from '#testing/a-preview.ts'
import { channelsOf, DELTA_CHANNEL, DISTANCE_HEIGHT, roundMarks, TRACE_CHANNELS } from './trace-channels.ts'

const channel = (series: string) => TRACE_CHANNELS.find(entry => entry.series === series)!

test('draws channels in the units drivers use', () => {
  assert.equal(channel('speed').convert(10), 36)
  assert.equal(channel('throttle').convert(0.5), 50)
  assert.equal(Math.round(channel('steeringWheelAngle').convert(Math.PI)), 180)
})

test('keeps pedals within 0 and 100 %, and counts values that are not finite as 0', () => {
  assert.deepEqual([-1, 2, Number.NaN].map(channel('brake').convert), [0, 100, 0])
})

test('writes values as whole numbers, gears by name, steering with its sign', () => {
  assert.equal(channel('speed').format(112.4), '112')
  assert.equal(channel('gear').format(-1), 'R')
  assert.equal(channel('steeringWheelAngle').format(-11), '−11')
})

test('puts straight ahead in the middle of the steering chart', () => {
  const [low, high] = channel('steeringWheelAngle').range(-90, 30)
  assert.equal(low, -high)
  assert.ok(high > 90)
})

test('holds all values on the axis, even if a lap has only one', () => {
  for (const { range, series } of TRACE_CHANNELS) {
    for (const [min, max] of [
      [0, 0],
      [0, 5],
    ] as const) {
      const [low, high] = range(min, max)
      assert.ok(low < min && high > max, series)
    }
  }
})

test('has no chart for a channel that the file lacks', () => {
  const preview = aPreview()
  const without = { debug: { ...preview.debug, missing: ['gear', 'rpm'] as const } }
  assert.deepEqual(
    channelsOf(without, 'km/h').map(entry => entry.series),
    ['speed', 'throttle', 'brake', 'steeringWheelAngle'],
  )
})

test('draws speed in the chosen unit', () => {
  const speed = channelsOf(aPreview(), 'mph').find(entry => entry.series === 'speed')!
  assert.equal(speed.unit, 'mph')
  assert.equal(Math.round(speed.convert(44.704)), 100)
})

test('marks few and round values on the axis', () => {
  assert.deepEqual(roundMarks(62, 187, 3), [100, 150])
  assert.deepEqual(roundMarks(3900, 7400, 2), [4000, 6000])
  assert.deepEqual(roundMarks(0, 10, 2), [0, 5, 10])
})

test('includes zero on the axis of the delta, with signed marks', () => {
  for (const [min, max] of [
    [0, 0],
    [0.1, 0.4],
    [-0.3, -0.1],
    [-0.2, 1.4],
  ] as const) {
    const [low, high] = DELTA_CHANNEL.range(min, max)
    assert.ok(low < Math.min(0, min) && high > Math.max(0, max))
    assert.ok(DELTA_CHANNEL.marks(low, high).some(mark => Math.abs(mark) < 1e-9))
  }
  assert.deepEqual([0, 0.2, -0.05, 10].map(DELTA_CHANNEL.formatMark!), ['0', '+0.2', '−0.05', '+10'])
  assert.equal(DELTA_CHANNEL.format(0.2), '+0.200')
})

test('leaves zero out of the axis of the delta if the gap hardly changes beside its size', () => {
  for (const [min, max] of [
    [1.1, 1.2],
    [-2.3, -2],
  ] as const) {
    const [low, high] = DELTA_CHANNEL.range(min, max)
    assert.ok(low < min && high > max && high - low < 0.5 && (low > 0 || high < 0))
  }
})

test('has the height that the layout states in --trace-rows', () => {
  const tokens = readFileSync(new URL('../../../styles/tokens.css', import.meta.url), 'utf8')
  const line = 1
  const rows = TRACE_CHANNELS.reduce((sum, { height }) => sum + height + line, DISTANCE_HEIGHT)
  assert.equal(/--trace-rows: (\d+)px/.exec(tokens)?.[1], String(rows))
})
