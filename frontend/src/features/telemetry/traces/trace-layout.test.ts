import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTraceLayout, moveTrace } from './change-trace-layout.ts'
import { DELTA_CHANNEL, TRACE_CHANNELS } from './trace-channels.ts'
import { arrangeTraces, parseTraceLayout } from './trace-layout.ts'

const all = ['delta', 'speed', 'throttle', 'brake'] as const

test('returns the text that it was given, and the default order for an empty one', () => {
  for (const text of ['brake*2,-speed,delta,throttle*3', '-delta,speed,throttle,brake']) {
    assert.equal(formatTraceLayout(parseTraceLayout(text, all)), text)
  }
  assert.equal(formatTraceLayout(parseTraceLayout('', all)), 'delta,speed,throttle,brake')
})

test('accepts any stored text, and shows charts that it does not name at their own place', () => {
  for (const text of ['brake,nonsense,brake*2', 'brake*9', 'brake,,*2,-,__proto__', 'brake']) {
    const entries = parseTraceLayout(text, all)
    assert.deepEqual(entries.map(entry => entry.series).toSorted(), [...all].toSorted(), text)
    assert.equal(entries[0]!.series, 'delta', text)
    assert.ok(
      entries.every(entry => entry.size === 1 && !entry.isHidden),
      text,
    )
  }
})

test('hides, orders and stretches the charts, and draws all if all are hidden', () => {
  const drawn = (text: string) =>
    arrangeTraces([DELTA_CHANNEL, ...TRACE_CHANNELS], text).map(({ series, height }) => [series, height])
  const first = drawn('steeringWheelAngle*3,-delta,-rpm')
  assert.deepEqual(first[0], ['steeringWheelAngle', 150])
  const series = TRACE_CHANNELS.map(channel => channel.series)
  assert.deepEqual(
    first.slice(1).map(([series]) => series),
    series.filter(name => name !== 'steeringWheelAngle' && name !== 'rpm'),
  )
  const every = ['delta', ...series]
  assert.equal(drawn(every.map(name => `-${name}`).join()).length, every.length)
})

test('moves a chart over those that the file lacks, and not over an end', () => {
  const entries = parseTraceLayout('', all)
  const lacksSpeed = (series: string) => series !== 'speed'
  const order = (moved: readonly { readonly series: string }[]) => moved.map(({ series }) => series).join()
  assert.equal(order(moveTrace(entries, 'throttle', -1, lacksSpeed)), 'throttle,delta,speed,brake')
  assert.equal(order(moveTrace(entries, 'throttle', 1, lacksSpeed)), 'delta,speed,brake,throttle')
  assert.equal(moveTrace(entries, 'brake', 1, lacksSpeed), entries)
  assert.equal(moveTrace(entries, 'delta', -1, lacksSpeed), entries)
})
