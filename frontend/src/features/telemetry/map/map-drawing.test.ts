import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Preview } from '@lapwing/telemetry'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import { aPreview } from '#testing/a-preview.ts'
import { colourLap } from '../lap-colouring.ts'
import type { LapComparison } from '../lap-comparison.ts'
import { lapDistance } from '../lap-distance.ts'
import { mainSeries } from '../lap-series.ts'
import { rowAtShare } from '../same-position.ts'
import { carOfReferenceRow, carOfRow, describeMap, mapDrawings, stretchBounds } from './map-drawing.ts'
import { mapData, mapLayers, mapStyle } from './map-style.ts'

const tokens = {
  throttle: '#10b981',
  brake: '#ef4444',
  card: '#111111',
  line: '#222222',
  raised: '#333333',
  reference: '#a78bfa',
  isColourBlind: false,
} as DrawingTokens

const preview = aPreview()
const [, first, second] = preview.laps

/** Compares with the second complete lap, as if it came from another session. */
function comparison(): LapComparison {
  const { row_start, row_end } = second!
  const part = (values: Float64Array | Float32Array | Int8Array) => values.slice(row_start, row_end + 1)
  const series = Object.fromEntries(
    Object.entries(preview).map(([name, value]) => [
      name,
      ArrayBuffer.isView(value) ? part(value as never) : value,
    ]),
  ) as unknown as Preview
  return {
    reference: {
      role: 'reference',
      name: 'Other',
      preview: series,
      lap: { is_completed: true, row_start: 0, row_end: row_end - row_start },
    },
    lengthM: 3200,
    incidents: [],
    delta: null,
    corners: [
      { name: 'Turn 1', label: '1', startM: 400, apexM: 500, endM: 600 },
      { name: 'Turn 2', label: '2', startM: 900, apexM: 1000, endM: 1100 },
    ],
  }
}

const drawn = (of: Preview = preview, lap = first!, compared: LapComparison | null = null) =>
  mapDrawings(of)(mainSeries(of, lap), compared, colourLap('pedals', mainSeries(of, lap), compared, tokens))

test('draws the lap in pedal colours, and the track from all laps', () => {
  const drawing = drawn()
  for (const { indices } of drawing.lap) {
    assert.ok(indices[0]! >= first!.row_start && indices.at(-1)! <= first!.row_end)
  }
  assert.deepEqual(
    new Set(drawing.lap.map(({ color }) => color).filter(color => color !== '#ffffff')),
    new Set(['#10b981', '#ef4444']),
  )
  assert.equal(drawing.track.length, preview.laps.length)
  assert.deepEqual([drawing.reference, drawing.connectors], [[], []])
})

test('finds the row of a place, and the place of a row of the lap only', () => {
  const drawing = drawn()
  const row = first!.row_start + 100
  const place = carOfRow(drawing, first!, row)!
  assert.deepEqual([place.lat, place.lon], [preview.lat[row], preview.lon[row]])
  assert.equal(drawing.nearest(place), row)
  assert.equal(carOfRow(drawing, first!, first!.row_start - 1), null)
  assert.equal(carOfRow(drawing, first!, null), null)
})

test('draws the reference, and connects both laps at each apex', () => {
  const compared = comparison()
  const drawing = drawn(preview, first!, compared)
  assert.equal(drawing.reference.length, 1)
  assert.equal(drawing.connectors.length, 2)
  const row = rowAtShare(mainSeries(preview, first!), 500 / 3200)
  assert.deepEqual(drawing.connectors[0]![0], [preview.lon[row], preview.lat[row]])
  const place = carOfReferenceRow(drawing, compared.reference, 7)!
  const of = second!.row_start + 7
  assert.deepEqual([place.lat, place.lon], [preview.lat[of], preview.lon[of]])
  // The nearest sample is always one of the lap with the cursor.
  assert.ok(drawing.nearest(place) <= first!.row_end)
})

test('gives the bounds of a part of the lap', () => {
  const drawing = drawn()
  const series = mainSeries(preview, first!)
  const { metres } = lapDistance(series.preview, series.lap)
  const part = stretchBounds(drawing, series, metres, { minM: 400, maxM: 600 })!
  const whole = drawing.bounds!
  assert.ok(part.north <= whole.north && part.west >= whole.west)
  assert.ok(part.north - part.south < whole.north - whole.south)
  assert.equal(stretchBounds(drawing, series, metres, { minM: 9000, maxM: 9100 }), null)
})

test('describes size and place of the lap in words', () => {
  assert.match(
    describeMap(drawn(), mainSeries(preview, first!)),
    /^Lap \d+ is drawn on a map, \d\.\d km wide and \d\.\d km high, around \d+\.\d{3}° [NS], \d+\.\d{3}° [EW]\. /,
  )
})

const replaced = (series: Partial<Preview>): Preview => ({ ...preview, ...series })
const without = new Float64Array(preview.lat.length).fill(Number.NaN)
const halfway = Math.round((first!.row_start + first!.row_end) / 2)

for (const [name, bad, lap] of [
  ['one sample', preview, { ...first!, row_end: first!.row_start }],
  ['no positions', replaced({ lat: without, lon: without }), first!],
  [
    'positions in half of it',
    replaced({ lat: preview.lat.map((value, i) => (i < halfway ? value : Number.NaN)) }),
    first!,
  ],
  ['no altitude', replaced({ alt: new Float32Array(preview.lat.length).fill(Number.NaN) }), first!],
  [
    'two continents',
    replaced({ lon: preview.lon.map((value, i) => (i < halfway ? value : value - 100)) }),
    first!,
  ],
] as const) {
  test(`accepts a lap of ${name}`, () => {
    const drawing = drawn(bad, lap)
    assert.equal(drawing.bounds === null, name === 'no positions')
    assert.doesNotThrow(() => JSON.stringify(mapStyle(drawing, tokens)))
    assert.ok(!JSON.stringify(mapData(drawing)).includes('null'))
  })
}

test('draws a lap of 25 km on a grid of kilometres', () => {
  const long = aPreview({ lengthM: 25_000, completeLaps: 1 })
  const drawing = drawn(long, long.laps[1]!)
  assert.ok(drawing.grid.spacingM >= 500 && drawing.grid.spacingM <= 2000, `${drawing.grid.spacingM} m`)
  assert.ok(drawing.lap.length > 0)
})

test('fits a lap to itself if another lap of the session is on another continent', () => {
  const moved = replaced({
    lon: preview.lon.map((value, i) =>
      i >= second!.row_start && i <= second!.row_end ? value + 100 : value,
    ),
  })
  assert.deepEqual(drawn(moved).bounds, drawn().bounds)
})

test('distinguishes pedals and reference by more than colour in the colour-blind palette', () => {
  const blind = { ...tokens, isColourBlind: true }
  const paintOf = (of: DrawingTokens, id: string) =>
    mapLayers(drawn(), of).find(layer => layer.id === id)!.paint
  assert.ok('line-dasharray' in paintOf(blind, 'reference')!)
  assert.ok(!('line-dasharray' in paintOf(tokens, 'reference')!))
  assert.equal((paintOf(tokens, 'lap') as Record<string, unknown>)['line-width'], 3)
  assert.ok(JSON.stringify(paintOf(blind, 'lap')).includes('"brake",6'))
})
