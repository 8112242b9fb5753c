import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap, Preview } from '@lapwing/telemetry'
import { lapTrack } from '@lapwing/telemetry/compare'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import { aPreview } from '#testing/a-preview.ts'
import { carDirection } from './cars/car-direction.ts'
import { carRows } from './cars/car-rows.ts'
import { createCursorStore } from './cursor-store.ts'
import { clockOf } from './lap-clock.ts'
import { type ColourBy, colourLap, colourRuns } from './lap-colouring.ts'
import type { LapComparison } from './lap-comparison.ts'
import { type LapSeries, mainSeries } from './lap-series.ts'
import { lapSeconds, valueAtRow } from './lap-time.ts'
import { carOfReferenceRow, carOfRow, mapDrawings } from './map/map-drawing.ts'
import { indexSamples } from './outline/nearest-sample.ts'
import { type OutlineGeometry, projectLap } from './outline/outline-geometry.ts'
import { followHeading, followPose } from './scene/follow-camera.ts'
import { carAt, sceneDrawings } from './scene/scene-drawing.ts'
import { trackSeries } from './track-series.ts'

/** Outline, map, scene and both cars get each lap that no view may fail on. */
const preview = aPreview({ completeLaps: 2 })
const [, first, second] = preview.laps as [Lap, Lap, Lap]
const long = aPreview({ lengthM: 25_000, completeLaps: 1 })
const tokens = { throttle: '#10b981', brake: '#ef4444', gain: '#34d399', loss: '#f87171' } as DrawingTokens

const replaced = (series: Partial<Preview>): Preview => ({ ...preview, ...series })
const blank = new Float64Array(preview.lat.length).fill(Number.NaN)
const onePlace = (values: Float64Array, rows: number) =>
  values.map((value, row) =>
    row > first.row_start && row < first.row_start + rows ? values[first.row_start]! : value,
  )
const isSecond = (row: number) => row >= second.row_start && row <= second.row_end
const otherLayout = aPreview({ lengthM: 1400, completeLaps: 1 })

interface BadLap {
  readonly preview: Preview
  readonly lap: Lap
  readonly reference?: LapSeries
  /** Whether the car has a place in its first row. */
  readonly isPlaced: boolean
}

const BAD_LAPS: Readonly<Record<string, BadLap>> = {
  'one sample': { preview, lap: { ...first, row_end: first.row_start }, isPlaced: true },
  'no positions': { preview: replaced({ lat: blank, lon: blank }), lap: first, isPlaced: false },
  'two points in one place': {
    preview: replaced({ lat: onePlace(preview.lat, 2), lon: onePlace(preview.lon, 2) }),
    lap: { ...first, row_end: first.row_start + 1 },
    isPlaced: true,
  },
  'a car that stays in its place for a hundred samples': {
    preview: replaced({ lat: onePlace(preview.lat, 100), lon: onePlace(preview.lon, 100) }),
    lap: first,
    isPlaced: true,
  },
  '25 km': { preview: long, lap: long.laps[1]!, isPlaced: true },
  'a session on two continents': {
    preview: replaced({
      lat: preview.lat.map((value, row) => (isSecond(row) ? -33.5 : value)),
      lon: preview.lon.map((value, row) => (isSecond(row) ? 151 : value)),
    }),
    lap: first,
    isPlaced: true,
  },
  'no altitude': {
    preview: replaced({ alt: preview.alt.map(() => Number.NaN) }),
    lap: first,
    isPlaced: true,
  },
  'a reference of another layout': {
    preview,
    lap: first,
    reference: trackSeries('Other layout', lapTrack(otherLayout, otherLayout.laps[1]!)!, 1400),
    isPlaced: true,
  },
  'a reference on another continent': {
    preview,
    lap: first,
    reference: {
      ...mainSeries(preview, second),
      role: 'reference',
      preview: replaced({ lon: preview.lon.map(value => value + 150) }),
    },
    isPlaced: true,
  },
  'no times': { preview: replaced({ sessionTime: blank }), lap: first, isPlaced: true },
}

function compared({ preview, lap, reference }: BadLap): { main: LapSeries; comparison: LapComparison } {
  const main = mainSeries(preview, lap)
  return {
    main,
    comparison: {
      reference: reference ?? { ...main, role: 'reference' },
      lengthM: preview.meta.track_length_m!,
      delta: { seconds: Float64Array.of(0, 0.4, 1), missedMs: 0 },
      corners: [{ name: 'Turn 1', label: '1', startM: 400, apexM: 500, endM: 600 }],
      incidents: [],
    },
  }
}

const COLOURS: readonly ColourBy[] = ['pedals', 'speed', 'gear', 'delta', 'gain']
const areFinite = (...values: readonly number[]) => values.every(Number.isFinite)

for (const [name, bad] of Object.entries(BAD_LAPS)) {
  const { main, comparison } = compared(bad)
  const { reference } = comparison
  const times = [0, 0.3, 0.5, 0.9, 1].map(share => share * lapSeconds(main))
  /** Returns the rows of both cars over the lap. */
  const races = () => {
    const cursor = createCursorStore()
    return times.map(timeS => {
      clockOf(cursor).seek(main, timeS)
      return carRows(cursor, main, comparison)
    })
  }

  test(`${name}: both cars have rows of their laps at each time`, () => {
    for (const { lap, reference: other } of races()) {
      assert.ok(lap! >= main.lap.row_start && lap! <= main.lap.row_end, `${lap}`)
      assert.ok(other! >= reference.lap.row_start && other! <= reference.lap.row_end, `${other}`)
    }
  })

  test(`${name}: each colour covers the lap`, () => {
    for (const by of COLOURS) {
      const { classes, classOf } = colourLap(by, main, comparison, tokens)
      for (const { state, start, end } of colourRuns({ classes, classOf }, main)) {
        assert.ok(classes[state] && start >= main.lap.row_start && end <= main.lap.row_end)
      }
      assert.ok(classes[classOf(main.lap.row_start)])
    }
  })

  test(`${name}: the outline has a plane, and its cars a place or none`, () => {
    const project = ({ preview: { lat, lon, sessionTime }, lap }: LapSeries, onto?: OutlineGeometry) =>
      projectLap(lat, lon, sessionTime, lap.row_start, lap.row_end, onto?.plane)
    const own = project(main)
    const other = own.known > 0 ? project(reference, own) : null
    assert.ok(areFinite(own.halfWidth, own.halfHeight, own.plane.lat, own.plane.lon))
    assert.equal(indexSamples(own.x, own.y).nearest(0, 0) >= 0, bad.isPlaced)
    for (const rows of races()) {
      for (const [geometry, row] of [
        [own, rows.lap!],
        [other, rows.reference!],
      ] as const) {
        if (!geometry) continue
        const at = row - geometry.rowStart
        const ends = { row_start: 0, row_end: geometry.x.length - 1 }
        const direction = carDirection(
          i => geometry.x[i]!,
          i => geometry.y[i]!,
          at,
          ends,
        )
        const isPlaced = areFinite(valueAtRow(geometry.x, at))
        assert.equal(isPlaced, bad.isPlaced)
        assert.ok(direction === null || (isPlaced && areFinite(direction)))
      }
    }
  })

  test(`${name}: the map has bounds of the lap alone, and its cars a place or none`, () => {
    const drawing = mapDrawings(bad.preview)(main, comparison, colourLap('pedals', main, comparison, tokens))
    assert.equal(drawing.bounds !== null, bad.isPlaced)
    const alone = mapDrawings(bad.preview)(main, null, colourLap('pedals', main, null, tokens))
    assert.deepEqual(drawing.bounds, alone.bounds)
    for (const rows of races()) {
      const cars = [
        carOfRow(drawing, main.lap, rows.lap),
        carOfReferenceRow(drawing, reference, rows.reference),
      ]
      for (const car of cars) {
        assert.equal(car !== null, bad.isPlaced)
        if (car) assert.ok(areFinite(car.lat, car.lon, car.direction ?? 0))
      }
    }
  })

  test(`${name}: the scene has ground, and a camera can follow the car`, () => {
    const colouring = colourLap('pedals', main, comparison, tokens)
    const drawing = sceneDrawings(bad.preview)(main, comparison, colouring, [])
    assert.equal(drawing !== null, bad.isPlaced)
    if (!drawing) return
    for (const rows of races()) {
      const car = carAt(drawing.lap, rows.lap! - main.lap.row_start)!
      const other = carAt(drawing.reference!, rows.reference! - reference.lap.row_start)
      assert.ok(areFinite(car.x, car.y, car.z, car.direction ?? 0))
      if (other) assert.ok(areFinite(other.x, other.y, other.z, other.direction ?? 0))
      const { target, headingDeg } = followPose(car, followHeading(null, car, 0, false))
      assert.ok(areFinite(target.x, target.y, target.z, headingDeg))
    }
  })
}
