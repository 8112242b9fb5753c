import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildIbt, type IbtVariableSpec } from '@lapwing/simulator/build-ibt'
import fc from 'fast-check'
import { sharedIbt, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { type ByteSource, bytesSource } from '../byte-source.ts'
import { findLaps } from '../laps/find-laps.ts'
import { type SyntheticLaps, syntheticLaps } from '../testing/synthetic-laps.ts'
import type { Preview, PreviewSeries, SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { previewSession } from './preview-session.ts'
import { previewToJson } from './preview-to-json.ts'
import { stringifyPreview } from './stringify-preview.ts'

const SERIES = Object.keys(PREVIEW_CHANNELS) as SeriesName[]

const TEXT = `---
WeekendInfo:
 TrackName: roundabout
 TrackDisplayName: Round Track
 TrackConfigName: Short
 TrackLength: 2.00 km
 TrackAirTemp: 25.56 C
 TrackSkies: Mostly Cloudy
DriverInfo:
 DriverCarIdx: 0
 DriverCarRedLine: 7500.000
 DriverCarSLShiftRPM: 7150.000
 Drivers:
 - CarIdx: 0
   UserName: Somebody Else
   UserID: 4711
   CarPath: some car
   CarScreenName: Some Car GT
...
`

const more: readonly IbtVariableSpec[] = [
  { name: 'Alt', type: 'float', values: row => 100 + row / 100 },
  { name: 'Throttle', type: 'float', values: row => [-0.01, 0, 0.4, 1, 1.02][row % 5]! },
  { name: 'Brake', type: 'float', values: row => [1.5, -0.2, Number.NaN][row % 3]! },
  { name: 'Gear', type: 'int', values: row => (row % 8) - 1 },
  { name: 'RPM', type: 'float', values: row => 1000 + (row % 6000) },
  { name: 'SteeringWheelAngle', type: 'float', values: row => Math.sin(row / 50) },
  { name: 'UnusedChannel', type: 'float', values: () => 1 },
]

function fileOf({ columns }: SyntheticLaps, extra = more, without: readonly string[] = []): Uint8Array {
  const variables = [...columns.byName.values()].map(({ name, type, values }) => ({ name, type, values }))
  return buildIbt({
    rows: columns.rows,
    sessionText: TEXT,
    variables: [...variables, ...extra].filter(({ name }) => !without.includes(name)),
  })
}

const preview = (bytes: Uint8Array): Promise<Preview> => previewSession(bytesSource(bytes))

test('returns the file’s series, laps, names and the remarks of the reader', async () => {
  const session = syntheticLaps()
  const answer = await preview(fileOf(session))
  for (const name of SERIES) assert.equal(answer[name].length, session.columns.rows, name)
  assert.deepEqual(answer.speed, session.columns.byName.get('Speed')!.values)
  assert.deepEqual(answer.lapDistPct, session.columns.byName.get('LapDistPct')!.values)
  assert.deepEqual(answer.sessionTime, session.columns.byName.get('SessionTime')!.values)
  assert.deepEqual([...answer.gear.subarray(0, 8)], [-1, 0, 1, 2, 3, 4, 5, 6])
  const found = answer.laps.map(({ figures, ...lap }) => {
    assert.ok(figures)
    return lap
  })
  assert.deepEqual(found, findLaps(session.columns, session.facts))
  assert.equal(answer.laps.filter(lap => lap.is_clean).length, 3)
  assert.deepEqual(answer.meta, {
    sim: 'iracing',
    track_slug: 'round-track',
    layout: 'short',
    car_slug: 'some-car',
    track_label: 'Round Track, Short',
    car_label: 'Some Car GT',
    track_length_m: 2000,
    red_line_rpm: 7500,
    shift_rpm: 7150,
    sample_rate_hz: 60,
    time_of_day_s: null,
    weather: { AirTemp: 25.56, Skies: 2 },
  })
  assert.deepEqual(answer.debug, {
    weekend: { TrackDisplayName: 'Round Track', TrackName: 'roundabout' },
    car: { CarScreenName: 'Some Car GT', CarPath: 'some car' },
    rows: session.columns.rows,
    partial: false,
    missing: [],
  })
  assert.ok(!stringifyPreview(answer).includes('Somebody'))
})

test('takes the time of day from its channel, otherwise from the session text', async () => {
  const timeOf = async (values: (() => number) | null, text = TEXT) => {
    const { columns } = syntheticLaps()
    const variables = [...columns.byName.values()].map(({ name, type, values }) => ({ name, type, values }))
    const channel = values && { name: 'SessionTimeOfDay', type: 'float' as const, values }
    const file = buildIbt({
      rows: columns.rows,
      sessionText: text,
      variables: channel ? [...variables, channel] : variables,
    })
    return (await preview(file)).meta.time_of_day_s
  }
  const stated = TEXT.replace('DriverInfo:', ' WeekendOptions:\n  TimeOfDay: 2:05 pm\nDriverInfo:')
  assert.equal(await timeOf(() => 61_200), 61_200)
  assert.equal(await timeOf(() => 61_200, stated), 61_200)
  assert.equal(await timeOf(null, stated), 50_700)
  for (const value of [Number.NaN, -1, 1e9]) assert.equal(await timeOf(() => value, stated), 50_700)
  assert.equal(await timeOf(() => Number.NaN), null)
})

test('clamps pedals to 0..1, and leaves NaN', async () => {
  const { throttle, brake } = await preview(fileOf(syntheticLaps()))
  assert.deepEqual([...throttle.subarray(0, 5)], [0, 0, Math.fround(0.4), 1, 1])
  assert.deepEqual([...brake.subarray(0, 3)], [1, 0, Number.NaN])
})

test('lists a missing series and fills it with NaN, gears with 0', async () => {
  const gone = ['Lat', 'Lon', 'Alt', 'LapDist', 'Brake', 'Gear', 'Speed']
  const answer = await preview(fileOf(syntheticLaps(), more, gone))
  assert.deepEqual(answer.debug.missing, ['lat', 'lon', 'lapDist', 'alt', 'brake', 'gear', 'speed'])
  for (const name of ['lat', 'lon', 'lapDist', 'alt', 'brake', 'speed'] as const) {
    assert.equal(answer[name].length, answer.debug.rows)
    assert.ok(answer[name].every(Number.isNaN))
  }
  assert.ok(answer.gear.every(gear => gear === 0))
  assert.equal(answer.laps.filter(lap => lap.is_completed).length, 3)
})

test('ignores a channel of several values a row', async () => {
  const wide = more.map(variable => (variable.name === 'RPM' ? { ...variable, count: 6 } : variable))
  assert.deepEqual((await preview(fileOf(syntheticLaps(), wide))).debug.missing, ['rpm'])
})

for (const name of ['SessionTime', 'LapDistPct']) {
  test(`throws ibt.missing_channel without ${name}`, async () => {
    await assert.rejects(preview(fileOf(syntheticLaps(), more, [name])), { code: 'ibt.missing_channel' })
  })
}

test('has no position in the simulator’s blank rows', async () => {
  const session = syntheticLaps()
  for (const name of ['Lat', 'Lon', 'Lap', 'LapDistPct']) session.columns.byName.get(name)!.values[0] = 0
  const { lat, lon, alt } = await preview(fileOf(session))
  assert.deepEqual([lat[0], lon[0], alt[0]], [Number.NaN, Number.NaN, Number.NaN])
  assert.ok(Number.isFinite(lat[1]) && Number.isFinite(alt[1]))
})

test('reads a file cut in its last row and marks it partial', async () => {
  const bytes = fileOf(syntheticLaps())
  const answer = await preview(bytes.subarray(0, bytes.length - 5))
  assert.equal(answer.debug.partial, true)
  assert.equal(answer.debug.rows, syntheticLaps().columns.rows - 1)
})

test('reports progress that rises to 1', async () => {
  const shares: number[] = []
  await previewSession(bytesSource(fileOf(syntheticLaps())), { onProgress: share => shares.push(share) })
  assert.equal(shares.at(-1), 1)
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  )
})

test('stops with the signal’s reason, before and within the file', async () => {
  const bytes = fileOf(syntheticLaps())
  const reason = new Error('enough')
  await assert.rejects(previewSession(bytesSource(bytes), { signal: AbortSignal.abort(reason) }), reason)
  const controller = new AbortController()
  const source: ByteSource = {
    size: bytes.byteLength,
    read(offset, target) {
      // One block of several.
      if (target.byteLength > 100_000) controller.abort(reason)
      return Promise.resolve(bytesSource(bytes).read(offset, target))
    },
  }
  await assert.rejects(previewSession(source, { signal: controller.signal }), reason)
})

test('writes JSON text equal to the JSON object, null for non-finite values', async () => {
  const answer = await preview(fileOf(syntheticLaps({ lapTimesS: [4] }), more, ['Alt']))
  const parsed = JSON.parse(stringifyPreview(answer))
  assert.deepEqual(parsed, previewToJson(answer))
  assert.deepEqual(parsed.brake.slice(0, 3), [1, 0, null])
  assert.equal(parsed.alt[0], null)
  assert.equal(parsed.throttle[2], 0.4)
  assert.deepEqual(Object.keys(parsed), [...SERIES, 'laps', 'meta', 'debug'])
})

test('writes every number to JSON without loss', () => {
  fc.assert(
    fc.property(
      fc.float32Array({ maxLength: 40 }),
      fc.float64Array({ maxLength: 40 }),
      (singles, doubles) => {
        const series: PreviewSeries = {
          lat: doubles,
          lon: doubles,
          sessionTime: doubles,
          lapDist: singles,
          lapDistPct: singles,
          alt: singles,
          throttle: singles,
          brake: singles,
          rpm: singles,
          steeringWheelAngle: singles,
          speed: singles,
          gear: new Int8Array([-1, 0, 6]),
        }
        const { speed, lat, gear } = JSON.parse(stringifyPreview({ ...series, ...rest }))
        const finite = (values: ArrayLike<number>) =>
          Array.from(values, value => (Number.isFinite(value) ? value + 0 : null))
        assert.deepEqual(
          speed.map((value: number | null) => (value === null ? null : Math.fround(value) + 0)),
          finite(singles),
        )
        assert.deepEqual(lat, finite(doubles))
        assert.deepEqual(gear, [-1, 0, 6])
      },
    ),
  )
})

const rest = { laps: [], meta: {} as Preview['meta'], debug: {} as Preview['debug'] }

test('writes floats with as few digits as possible', () => {
  const texts = ['0.1', '0.65', '7500', '-12.5', '1234.5677', '0.0001234', '281.4375', '100000.01']
  const speed = Float32Array.from(texts, Number)
  const text = stringifyPreview({ ...emptySeries(), ...rest, speed })
  assert.ok(text.includes(`"speed":[${texts.join(',')}]`), text)
})

function emptySeries(): PreviewSeries {
  const single = new Float32Array(0)
  const double = new Float64Array(0)
  return {
    lat: double,
    lon: double,
    sessionTime: double,
    lapDist: single,
    lapDistPct: single,
    alt: single,
    throttle: single,
    brake: single,
    rpm: single,
    steeringWheelAngle: single,
    speed: single,
    gear: new Int8Array(0),
  }
}

test('previews a recorded road session with its names and laps', { skip: sharedIbtMissing }, async () => {
  const answer = await preview(readFileSync(sharedIbt('laps/winton-3-laps.ibt')))
  assert.equal(answer.meta.track_slug, 'winton-motor-raceway')
  assert.equal(answer.meta.layout, 'national-circuit')
  assert.equal(answer.meta.car_slug, 'rayff1600')
  assert.equal(answer.meta.track_length_m, 2947)
  assert.deepEqual(
    answer.laps.map(lap => lap.time_fmt),
    [null, '1:26.439', '1:26.417', '1:24.296', null],
  )
})

test('names the layout of a recorded oval without a layout name "default"', {
  skip: sharedIbtMissing,
}, async () => {
  const { meta } = await preview(readFileSync(sharedIbt('real/martinsville-practice-2-laps.ibt')))
  assert.equal(meta.layout, 'default')
  assert.equal(meta.track_label, 'Martinsville Speedway')
  assert.equal(meta.car_slug, 'skmodified-tour')
})
