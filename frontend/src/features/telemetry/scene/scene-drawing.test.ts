import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import { aPreview } from '#testing/a-preview.ts'
import { colourLap } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { mainSeries } from '../lap-series.ts'
import { pointAt, pointsIn, sceneDrawings } from './scene-drawing.ts'

const preview = aPreview()
const lap = preview.laps.find(({ is_completed }) => is_completed)!
const other = preview.laps.findLast(({ is_completed }) => is_completed)!
const tokens = { throttle: '#10b981', brake: '#ef4444', isColourBlind: false } as DrawingTokens

const draw = (
  session = preview,
  series = mainSeries(session, lap),
  comparison: LapComparison | null = null,
) =>
  sceneDrawings(session)(series, comparison, colourLap('pedals', series, null, tokens), [
    { label: '1', apexM: 400 },
  ])

const comparedWith = (reference: LapComparison['reference']): LapComparison => ({
  reference,
  lengthM: preview.meta.track_length_m!,
  delta: null,
  corners: [{ name: 'Turn 1', label: '1', startM: 300, apexM: 400, endM: 500 }],
  incidents: [],
})

test('has one line a pedal state, which together are the lap without a gap', () => {
  const { lapLines, lap: points } = draw()!
  assert.deepEqual(
    lapLines.map(({ colour, style }) => [colour, style]),
    [
      ['#ef4444', 'double'],
      ['#10b981', 'plain'],
      ['#ffffff', 'thin'],
    ],
  )
  const drawnM = lapLines.reduce((sum, { segments }) => sum + lengthOf(segments), 0)
  let drivenM = 0
  const all = [...pointsIn(points)]
  for (let i = 1; i < all.length; i++) {
    drivenM += Math.hypot(all[i]!.x - all[i - 1]!.x, all[i]!.z - all[i - 1]!.z)
  }
  assert.ok(Math.abs(drawnM - drivenM) < 0.01 * drivenM, `${drawnM} of ${drivenM} m`)
})

test('numbers the corners and sets boards along the lap', () => {
  const { labels } = draw()!
  assert.deepEqual(
    labels.filter(({ kind }) => kind === 'corner').map(({ text }) => text),
    ['1'],
  )
  const boards = labels.filter(({ kind }) => kind === 'distance').map(({ text }) => text)
  assert.deepEqual(boards.slice(0, 4), ['250 m', '500 m', '750 m', '1 km'])
  assert.equal(boards.at(-1), '3 km')
})

test('draws the reference and a line between both laps at the apex', () => {
  const reference = { ...mainSeries(preview, other), role: 'reference' as const }
  const {
    referenceLine,
    connectors,
    reference: points,
  } = draw(preview, mainSeries(preview, lap), comparedWith(reference))!
  assert.ok(lengthOf(referenceLine) > 3000)
  assert.equal(connectors.length, 6)
  assert.equal(points!.length, 3 * (other.row_end - other.row_start + 1))
})

test('a reference of another layout is drawn at its own place', () => {
  const far = { ...preview, lat: preview.lat.map(lat => lat + 0.02) }
  const reference = { ...mainSeries(far, other), role: 'reference' as const }
  const { reference: points, lap: own } = draw(preview, mainSeries(preview, lap), comparedWith(reference))!
  assert.ok(Math.abs(pointAt(points!, 0)!.z - pointAt(own, 0)!.z + 2225) < 30)
})

test('a lap without altitude lies flat, and says so', () => {
  const flat = { ...preview, alt: preview.alt.map(() => Number.NaN) }
  const { isFlat, lap: points } = draw(flat)!
  assert.equal(isFlat, true)
  for (const { y } of pointsIn(points)) assert.ok(Math.abs(y) < 0.5)
  assert.equal(draw()!.isFlat, false)
})

test('a lap without positions has no drawing', () => {
  assert.equal(draw({ ...preview, lat: preview.lat.map(() => Number.NaN) }), null)
})

test('a lap of one sample, and one of two points in one place, are a mark without a line', () => {
  for (const rows of [1, 2]) {
    const short = { ...lap, row_end: lap.row_start + rows - 1 }
    const lat = preview.lat.slice()
    const lon = preview.lon.slice()
    lat[short.row_end] = lat[short.row_start]!
    lon[short.row_end] = lon[short.row_start]!
    const session = { ...preview, lat, lon, laps: [short] }
    const drawing = draw(session, mainSeries(session, short))!
    assert.ok(pointAt(drawing.lap, 0))
    assert.equal(drawing.site.terrain, null)
    for (const { segments } of drawing.lapLines) assert.ok(lengthOf(segments) < 1e-6)
  }
})

test('a lap of 25 km has at most 3,000 segments', () => {
  const long = aPreview({ completeLaps: 1, lengthM: 25_000 })
  const [, whole] = long.laps
  const drawing = draw(long, mainSeries(long, whole!))!
  const segments = drawing.lapLines.reduce((sum, line) => sum + line.segments.length / 6, 0)
  assert.ok(segments > 1000 && segments < 3200, `${segments}`)
  assert.ok(drawing.labels.length <= 15)
})

test('laps of two continents have ground of their own, laps of one place share it', () => {
  const away = preview.lat.slice()
  for (let row = other.row_start; row <= other.row_end; row++) away[row] = away[row]! - 80
  const session = { ...preview, lat: away }
  const prepare = sceneDrawings(session)
  const of = (series: ReturnType<typeof mainSeries>) =>
    prepare(series, null, colourLap('pedals', series, null, tokens), [])!
  const here = of(mainSeries(session, lap))
  const there = of(mainSeries(session, other))
  assert.notEqual(here.site, there.site)
  assert.ok(Math.abs(here.site.frame.lat - there.site.frame.lat - 80) < 0.1)
  assert.ok(there.box.east - there.box.west < 3000)
  const next = preview.laps.filter(({ is_completed }) => is_completed)[1]!
  const shared = sceneDrawings(preview)
  const first = shared(
    mainSeries(preview, lap),
    null,
    colourLap('pedals', mainSeries(preview, lap), null, tokens),
    [],
  )!
  const second = shared(
    mainSeries(preview, next),
    null,
    colourLap('pedals', mainSeries(preview, next), null, tokens),
    [],
  )!
  assert.equal(first.site, second.site)
})

function lengthOf(segments: Float32Array): number {
  let metres = 0
  for (let i = 0; i < segments.length; i += 6) {
    metres += Math.hypot(segments[i + 3]! - segments[i]!, segments[i + 5]! - segments[i + 2]!)
  }
  return metres
}
