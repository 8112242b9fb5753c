import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import { aPreview } from '#testing/a-preview.ts'
import {
  colourLap,
  colourRuns,
  deltaColours,
  GEAR_COLOURS,
  SPEED_COLOURS,
  shownColours,
} from './lap-colouring.ts'
import type { LapComparison } from './lap-comparison.ts'
import { mainSeries } from './lap-series.ts'

const preview = aPreview()
const lap = preview.laps.find(({ is_completed }) => is_completed)!
const series = mainSeries(preview, lap)
const tokens = {
  throttle: '#10b981',
  brake: '#ef4444',
  gain: '#00ff00',
  loss: '#ff0000',
  isColourBlind: false,
} as DrawingTokens

const comparison = (seconds: readonly number[]): LapComparison => ({
  reference: { ...series, role: 'reference' },
  lengthM: 3200,
  delta: { seconds: Float64Array.from(seconds), missedMs: 0 },
  corners: [],
  incidents: [],
})

test('by speed, the slowest row has the first colour and the fastest the last', () => {
  const { classOf, classes } = colourLap('speed', series, null, tokens)
  const rows = Array.from({ length: lap.row_end - lap.row_start + 1 }, (_, i) => lap.row_start + i)
  const bySpeed = rows.toSorted((a, b) => preview.speed[a]! - preview.speed[b]!)
  assert.equal(classOf(bySpeed[0]!), 0)
  assert.equal(classOf(bySpeed.at(-1)!), SPEED_COLOURS.length - 1)
  assert.equal(classes.length, SPEED_COLOURS.length)
})

test('by gear, each gear has its colour; neutral and reverse share one, and so do the highest', () => {
  const gear = Int8Array.from([-1, 0, 1, 5, 8, 12])
  const { classOf } = colourLap('gear', { ...series, preview: { ...preview, gear } }, null, tokens)
  assert.deepEqual(
    [...gear.keys()].map(row => classOf(row)),
    [0, 0, 1, 5, 8, GEAR_COLOURS.length - 1],
  )
})

test('by delta, gain and loss have the ends of the scale, and no delta its white middle', () => {
  const colourAt = (seconds: number) => {
    const { classOf, classes } = colourLap('delta', series, comparison([seconds, seconds]), tokens)
    return classes[classOf(lap.row_start + 50)]!.colour
  }
  assert.equal(colourAt(-0.8), '#00ff00')
  assert.equal(colourAt(0.8), '#ff0000')
  assert.equal(colourAt(0), '#ffffff')
  assert.equal(deltaColours(tokens).length, 9)
})

test('by delta without a reference, colours by pedals', () => {
  const { classes } = colourLap('delta', series, null, tokens)
  assert.deepEqual(
    classes.map(({ colour }) => colour),
    ['#ef4444', '#10b981', '#ffffff'],
  )
})

test('by gain and loss, colours by what happens to the gap; on the outline level parts have its own neutral', () => {
  const seconds = Array.from({ length: 401 }, (_, i) =>
    i < 200 ? i * 0.01 : i < 300 ? 2 : 2 - (i - 300) * 0.01,
  )
  const { classOf, classes } = colourLap('gain', series, comparison(seconds), tokens, '#566173')
  const rowAt = (share: number) => {
    let row = lap.row_start
    while (preview.lapDistPct[row]! < share) row++
    return classes[classOf(row)]!
  }
  assert.deepEqual(rowAt(0.25), { colour: '#ff0000', style: 'double' })
  assert.deepEqual(rowAt(0.62), { colour: '#566173', style: 'thin' })
  assert.deepEqual(rowAt(0.9), { colour: '#00ff00', style: 'plain' })
})

test('colours that need a reference become the pedals without one', () => {
  for (const by of ['pedals', 'speed', 'gear', 'delta', 'gain'] as const) {
    assert.equal(shownColours(by, true), by)
  }
  assert.deepEqual([shownColours('delta', false), shownColours('gain', false)], ['pedals', 'pedals'])
  assert.equal(shownColours('speed', false), 'speed')
})

test('a missing speed or delta has a colour, too', () => {
  const blank = { ...series, preview: { ...preview, speed: preview.speed.map(() => Number.NaN) } }
  for (const by of ['speed', 'delta'] as const) {
    const { classOf, classes } = colourLap(by, blank, comparison([Number.NaN, Number.NaN]), tokens)
    assert.ok(classes[classOf(lap.row_start)])
  }
})

test('runs cover the lap in the order driven', () => {
  for (const by of ['pedals', 'speed', 'gear'] as const) {
    const runs = colourRuns(colourLap(by, series, null, tokens), series)
    assert.ok(runs.length > 3)
    assert.equal(runs[0]!.start, lap.row_start)
    for (let i = 1; i < runs.length; i++) assert.ok(runs[i]!.start > runs[i - 1]!.end)
  }
})
