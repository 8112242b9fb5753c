import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import {
  ElementType,
  LapFiguresSchema,
  type Preview as PreviewMessage,
  PreviewSchema,
} from '@lapwing/contracts/telemetry.pb'
import fc from 'fast-check'
import type { IncidentKind, Lap, LapReason } from '../laps/lap.ts'
import type { Preview, PreviewMeta, SeriesName } from '../preview/preview.ts'
import { decodePreview, encodePreview, WireError, type WireErrorCode } from './preview-codec.ts'

const NAMES = [
  'lat',
  'lon',
  'lapDist',
  'lapDistPct',
  'alt',
  'throttle',
  'brake',
  'gear',
  'rpm',
  'steeringWheelAngle',
  'speed',
  'sessionTime',
] as const satisfies readonly SeriesName[]

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const int32 = fc.integer()

const lapReasons = fc.uniqueArray(
  fc.constantFrom<LapReason>('NO_OPEN', 'JUMP', 'NOT_SCORED', 'OFF_TRACK', 'INCIDENT', 'UNVERIFIABLE'),
)

const laps = (rows: number): fc.Arbitrary<Lap[]> =>
  rows === 0
    ? fc.constant([])
    : fc.array(
        fc.record({
          lap: int32,
          is_completed: fc.boolean(),
          is_clean: fc.boolean(),
          reasons: lapReasons,
          time_s: orNull(finite),
          time_fmt: orNull(fc.string({ unit: 'grapheme' })),
          time_source: fc.constantFrom('official', 'interpolated', null),
          row_start: fc.constant(0),
          row_end: fc.nat(rows - 1),
          incidents: fc.array(
            fc.record({
              kind: fc.constantFrom<IncidentKind>('off_track', 'contact', 'loss_of_control', 'unknown'),
              row_start: fc.constant(0),
              row_end: fc.constant(0),
            }),
            { maxLength: 3 },
          ),
          session_num: int32,
          session_name: orNull(fc.string({ unit: 'grapheme' })),
          figures: fc.record({
            sectors_s: fc.array(finite, { maxLength: 8 }),
            top_speed_mps: orNull(finite),
            fuel_used_l: orNull(finite),
            tyre_temps_c: fc.oneof(fc.constant([]), fc.array(finite, { minLength: 4, maxLength: 4 })),
            track_temp_c: orNull(finite),
            track_wetness: orNull(int32),
            incident_points: orNull(int32),
          }),
        }),
        { maxLength: 5 },
      )

const text = fc.string({ unit: 'grapheme', maxLength: 20 })

const meta: fc.Arbitrary<PreviewMeta> = fc.record({
  sim: fc.constant('iracing' as const),
  track_slug: text,
  layout: text,
  car_slug: text,
  track_label: text,
  car_label: text,
  track_length_m: orNull(finite),
  red_line_rpm: orNull(finite),
  shift_rpm: orNull(finite),
  sample_rate_hz: finite,
  time_of_day_s: orNull(finite),
  weather: fc.record({ AirTemp: orNull(finite), Skies: fc.constantFrom(0, 1, 2, 3, null) }),
})

const debug = fc.record({
  weekend: fc.record({ TrackDisplayName: orNull(text), TrackName: orNull(text) }),
  car: fc.record({ CarScreenName: orNull(text), CarPath: orNull(text) }),
  rows: fc.nat(),
  partial: fc.boolean(),
  missing: fc.uniqueArray(fc.constantFrom(...NAMES)),
})

/** Series of any bits. */
const previews: fc.Arbitrary<Preview> = fc.nat(40).chain(rows => {
  const bytes = (size: number) => fc.uint8Array({ minLength: rows * size, maxLength: rows * size })
  const f32 = bytes(4).map(each => new Float32Array(each.slice().buffer))
  const f64 = bytes(8).map(each => new Float64Array(each.slice().buffer))
  const int8 = bytes(1).map(each => new Int8Array(each.slice().buffer))
  return fc.record({
    lat: f64,
    lon: f64,
    lapDist: f32,
    lapDistPct: f32,
    alt: f32,
    throttle: f32,
    brake: f32,
    gear: int8,
    rpm: f32,
    steeringWheelAngle: f32,
    speed: f32,
    sessionTime: f64,
    laps: laps(rows),
    meta,
    debug,
  })
})

/** Returns series as bytes, because two different NaNs compare as equal floats. */
function comparable(preview: Preview): unknown {
  const bits = NAMES.map(name => {
    const { buffer, byteOffset, byteLength } = preview[name]
    return [name, preview[name].constructor.name, Buffer.from(buffer, byteOffset, byteLength).toString('hex')]
  })
  const { laps, meta, debug } = preview
  // Cloned, because the arbitraries make records without a prototype.
  return { bits, ...structuredClone({ laps, meta, debug }) }
}

/** Returns a preview of `rows` rows with one lap, for tests that damage it. */
function sample(rows = 3): Preview {
  const f32 = () => Float32Array.from({ length: rows }, (_, i) => i / 3)
  const f64 = () => Float64Array.from({ length: rows }, (_, i) => i / 3)
  return {
    lat: f64(),
    lon: f64(),
    lapDist: f32(),
    lapDistPct: f32(),
    alt: f32(),
    throttle: f32(),
    brake: f32(),
    gear: Int8Array.from({ length: rows }, () => -1),
    rpm: f32(),
    steeringWheelAngle: f32(),
    speed: f32(),
    sessionTime: f64(),
    laps: [
      {
        lap: 7,
        is_completed: true,
        is_clean: false,
        reasons: ['OFF_TRACK'],
        time_s: 51.088,
        time_fmt: '0:51.088',
        time_source: 'official',
        row_start: 0,
        row_end: rows - 1,
        incidents: [{ kind: 'off_track', row_start: 1, row_end: 1 }],
        session_num: 0,
        session_name: 'Heat 1',
      },
    ],
    meta: {
      sim: 'iracing',
      track_slug: 'summit-jefferson',
      layout: 'jefferson',
      car_slug: 'rayff1600',
      track_label: 'Summit Point',
      car_label: 'Ray FF1600',
      track_length_m: 1880,
      red_line_rpm: null,
      shift_rpm: null,
      sample_rate_hz: 60,
      time_of_day_s: 50_400,
      weather: { AirTemp: 25.5, Skies: 1 },
    },
    debug: {
      weekend: { TrackDisplayName: 'Summit Point', TrackName: null },
      car: { CarScreenName: null, CarPath: 'rayff1600' },
      rows,
      partial: false,
      missing: ['alt'],
    },
  }
}

function assertRefused(bytes: Uint8Array, code: WireErrorCode = 'wire.malformed'): void {
  assert.throws(
    () => decodePreview(bytes),
    (error: unknown) => error instanceof WireError && error.code === code,
  )
}

/** Returns the sample as a message with one change. */
function changed(change: (message: PreviewMessage) => void): Uint8Array {
  const m = message()
  change(m)
  return toBinary(PreviewSchema, m)
}

const drop = ({ series }: PreviewMessage, gone: SeriesName) => {
  series!.columns = series!.columns.filter(({ name }) => name !== gone)
}

const message = (): PreviewMessage => fromBinary(PreviewSchema, encodePreview(sample()))

test('returns a preview unchanged, to the last bit', () => {
  fc.assert(
    fc.property(previews, preview => {
      assert.deepEqual(comparable(decodePreview(encodePreview(preview))), comparable(preview))
    }),
  )
})

test('writes the message of the proto file', () => {
  const m = message()
  assert.equal(m.series?.rows, 3)
  assert.deepEqual(m.series?.columns.map(column => column.name).toSorted(), [...NAMES].toSorted())
  assert.equal(m.laps[0]?.timeS, 51.088)
  assert.equal(m.meta?.redLineRpm, undefined)
})

test('decodes a damaged message or throws a WireError, never another error', () => {
  const whole = encodePreview(sample(8))
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
  let refused = 0
  const decodeOrRefuse = (bytes: Uint8Array) => {
    try {
      decodePreview(bytes)
    } catch (error) {
      assert.ok(error instanceof WireError, String(error))
      refused++
    }
  }
  fc.assert(
    fc.property(damage, fc.nat(whole.length), (changes, length) => {
      const bytes = whole.slice()
      for (const [at, byte] of changes) bytes[at] = byte
      decodeOrRefuse(bytes)
      decodeOrRefuse(bytes.subarray(0, length))
    }),
    { numRuns: 3000 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), decodeOrRefuse))
  assert.ok(refused > 0)
})

test('rejects a message that is cut at any byte', () => {
  const whole = encodePreview(sample())
  for (let length = 0; length < whole.length; length++) assertRefused(whole.subarray(0, length))
})

const refusals: Record<string, (m: PreviewMessage) => void> = {
  'no series': m => delete m.series,
  'no meta': m => delete m.meta,
  'no debug': m => delete m.debug,
  'no time of the session': m => drop(m, 'sessionTime'),
  'a series of another type': m => (m.series!.columns[0]!.type = ElementType.FLOAT32),
  'more rows than bytes': m => (m.series!.rows = 4_294_967_295),
  'fewer rows than bytes': m => (m.series!.rows = 2),
  'an unknown order': m => (m.series!.columns[0]!.order = 4_294_967_295),
  'a lap that ends after the file': m => (m.laps[0]!.rowEnd = 3),
  'a lap that ends before it starts': m => Object.assign(m.laps[0]!, { rowStart: 2, rowEnd: 1 }),
  'an unknown reason': m => m.laps[0]!.reasons.push('constructor'),
  'an unknown incident': m => (m.laps[0]!.incidents[0]!.kind = 'constructor'),
  'an incident that ends after its lap': m => (m.laps[0]!.incidents[0]!.rowEnd = 3),
  'an incident that ends before it starts': m => (m.laps[0]!.incidents[0]!.rowEnd = 0),
  'too many incidents': m => {
    m.laps[0]!.incidents = Array.from({ length: 101 }, () => m.laps[0]!.incidents[0]!)
  },
  'figures of three tyres': m => (m.laps[0]!.figures = create(LapFiguresSchema, { tyreTempsC: [1, 2, 3] })),
  'too many sectors': m =>
    (m.laps[0]!.figures = create(LapFiguresSchema, { sectorsS: new Array(65).fill(1) })),
  'an unknown time source': m => (m.laps[0]!.timeSource = 'guessed'),
  'another simulator': m => (m.meta!.sim = 'other'),
  'an unknown sky': m => (m.meta!.skies = 4),
}

for (const [what, change] of Object.entries(refusals)) {
  test(`rejects a message: ${what}`, () => assertRefused(changed(change)))
}

test('rejects a part that reaches beyond its own end', () => {
  const lap = new BinaryWriter().tag(4, WireType.LengthDelimited).uint32(1000).finish()
  const reaching = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(lap).finish()
  assertRefused(Buffer.concat([reaching, encodePreview(sample(50))]))
})

test('rejects a known field of another wire type', () => {
  const series = new BinaryWriter().tag(1, WireType.Bit32).fixed32(0).finish()
  assertRefused(Buffer.concat([encodePreview(sample()), series]))
})

test('rejects very many empty laps or columns before creating them', () => {
  const part = [(2 << 3) | WireType.LengthDelimited, 0]
  const swarm = Uint8Array.from({ length: 2_000_000 }, (_, i) => part[i % 2]!)
  assertRefused(swarm, 'wire.too_many_parts')
  const inSeries = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(swarm).finish()
  assertRefused(inSeries, 'wire.too_many_parts')
})

test('rejects an oversized lap, meta or debug before creating it', () => {
  for (const [field, list] of [
    [2, 4],
    [3, 7],
    [4, 7],
  ] as const) {
    const entry = [(list << 3) | WireType.LengthDelimited, 0]
    const part = Uint8Array.from({ length: 65_538 }, (_, i) => entry[i % 2]!)
    const bytes = new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(part).finish()
    assert.throws(() => decodePreview(bytes), { code: 'wire.malformed', detail: 'part length' })
  }
})

test('reports a series that an older server does not send as missing, without values', () => {
  const older = changed(m => {
    for (const name of ['rpm', 'gear', 'lat', 'alt'] as const) drop(m, name)
  })
  const { rpm, gear, lat, alt, debug } = decodePreview(older)
  assert.deepEqual([...debug.missing].toSorted(), ['alt', 'gear', 'lat', 'rpm'])
  const none = [NaN, NaN, NaN]
  assert.deepEqual([rpm, alt], [new Float32Array(none), new Float32Array(none)])
  assert.deepEqual([lat, gear], [new Float64Array(none), new Int8Array(3)])
})

test('skips fields and series of a newer server', () => {
  const bytes = changed(m => {
    m.series!.columns.push(
      create(PreviewSchema, { series: { columns: [{ name: 'tyreTemp', type: ElementType.FLOAT32 }] } })
        .series!.columns[0]!,
    )
    m.debug!.missing.push('tyreWear', 'toString')
  })
  const newer = new BinaryWriter()
    .tag(77, WireType.Varint)
    .uint32(5)
    .tag(78, WireType.Bit64)
    .fixed64(1)
    .finish()
  const decoded = decodePreview(Buffer.concat([bytes, newer]))
  assert.deepEqual(comparable(decoded), comparable(sample()))
})

test('refuses to encode series of different lengths', () => {
  assert.throws(() => encodePreview({ ...sample(), alt: new Float32Array(2) }), RangeError)
})
