import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { components } from '@lapwing/contracts/ingest'
import contract from '@lapwing/contracts/ingest.json' with { type: 'json' }
import {
  ElementType,
  type Reference as ReferenceMessage,
  ReferenceSchema,
  type TrackIncident as TrackIncidentMessage,
  TrackIncidentSchema,
} from '@lapwing/contracts/telemetry.pb'
import fc from 'fast-check'
import { INCIDENT_KINDS } from '../laps/lap.ts'
import { syntheticTrack } from '../testing/synthetic-track.ts'
import { packColumn } from '../wire/pack-column.ts'
import { WireError, type WireErrorCode } from '../wire/wire-error.ts'
import type { LapTrack, TrackIncident } from './lap-track.ts'
import type { Reference, ReferenceFacts } from './reference.ts'
import { decodeReference, encodeReference } from './reference-codec.ts'
import { referenceToJson } from './reference-to-json.ts'
import { TRACK_SERIES, TRACK_SERIES_NAMES, type TrackSeries } from './series.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 20 })

const facts: fc.Arbitrary<ReferenceFacts> = fc.record(
  {
    lapId: fc.uuid(),
    userId: text,
    timeSource: fc.constantFrom('official', 'interpolated'),
    combination: fc.record(
      {
        sim: text,
        track_slug: text,
        layout: text,
        car_slug: text,
        track_label: text,
        car_label: text,
      },
      { noNullPrototype: true },
    ),
  },
  { noNullPrototype: true },
)

const share = fc.double({ min: 0, max: 1, noNaN: true })

const incidents: fc.Arbitrary<TrackIncident[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...INCIDENT_KINDS), share, share)
    .map(([kind, a, b]) => ({ kind, fromPct: Math.min(a, b), toPct: Math.max(a, b) })),
  { minLength: 1, maxLength: 4 },
)

/** Series of any bits, except for even steps and a time that does not fall. */
const tracks: fc.Arbitrary<LapTrack> = fc.integer({ min: 2, max: 60 }).chain(points => {
  const series = (name: TrackSeries) => {
    const length = points * TRACK_SERIES[name].BYTES_PER_ELEMENT
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map(bytes => new TRACK_SERIES[name](bytes.slice().buffer))
  }
  const { pct } = syntheticTrack({ points })
  const steps = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), {
    minLength: points - 1,
    maxLength: points - 1,
  })
  const time = steps.map(each => {
    const seconds = new Float64Array(points)
    for (let i = 1; i < points; i++) seconds[i] = seconds[i - 1]! + each[i - 1]!
    return seconds
  })
  const others = Object.fromEntries(
    TRACK_SERIES_NAMES.filter(name => name !== 'pct' && name !== 'time').map(name => [name, series(name)]),
  )
  return fc.record(
    {
      lengthM: fc.option(fc.double({ min: 1, max: 100_000, noNaN: true }), { nil: null }),
      timeMs: fc.integer({ min: 1, max: 4_294_967_295 }),
      incidents,
      pct: fc.constant(pct),
      time,
      ...others,
    },
    { requiredKeys: ['lengthM', 'timeMs', 'pct', 'time'], noNullPrototype: true },
  ) as fc.Arbitrary<LapTrack>
})

/** Returns series as bytes, because two different NaNs compare as equal floats. */
function comparable({ facts, track }: Reference): unknown {
  const bits = TRACK_SERIES_NAMES.map(name => {
    const series = track[name]
    return series === undefined
      ? name
      : `${name} ${series.constructor.name} ${Buffer.from(series.buffer, series.byteOffset, series.byteLength).toString('hex')}`
  })
  return { facts, lengthM: track.lengthM, timeMs: track.timeMs, incidents: track.incidents, bits }
}

const FACTS: ReferenceFacts = {
  lapId: '0197a3de-6c00-7000-8000-000000000001',
  userId: 'user-1',
  timeSource: 'official',
  combination: {
    sim: 'iracing',
    track_slug: 'greywater-park',
    layout: 'grand-prix',
    car_slug: 'lapwing-gt',
    track_label: 'Greywater Park, Grand Prix',
    car_label: 'Lapwing GT',
  },
}

const sample = (points = 5): LapTrack =>
  syntheticTrack({
    points,
    series: {
      speed: pct => 40 + pct,
      gear: () => 4,
      lat: pct => 50 + pct,
      brake: pct => (pct > 0.5 ? NaN : 0.1),
    },
  })

const message = (): ReferenceMessage => fromBinary(ReferenceSchema, encodeReference(sample(), FACTS))

/** Returns the sample as a message with one change. */
function changed(change: (message: ReferenceMessage) => void): Uint8Array {
  const m = message()
  change(m)
  return toBinary(ReferenceSchema, m)
}

function assertRefused(bytes: Uint8Array, code: WireErrorCode = 'wire.malformed'): void {
  assert.throws(
    () => decodeReference(bytes),
    (error: unknown) => error instanceof WireError && error.code === code,
  )
}

test('returns a reference unchanged, to the last bit', () => {
  fc.assert(
    fc.property(tracks, facts, (track, facts) => {
      const decoded = decodeReference(encodeReference(track, facts))
      assert.deepEqual(comparable(decoded), comparable({ facts, track }))
    }),
  )
})

test('writes the message of the proto file', () => {
  const m = message()
  assert.equal(m.lapId, FACTS.lapId)
  assert.equal(m.lapTimeMs, 60_000)
  assert.equal(m.trackLengthM, 1000)
  assert.equal(m.combination?.trackLabel, 'Greywater Park, Grand Prix')
  assert.equal(m.series?.rows, 5)
  assert.deepEqual(
    m.series?.columns.map(({ name }) => name),
    ['pct', 'time', 'brake', 'gear', 'speed', 'lat'],
  )
  assert.deepEqual(m.incidents, [])
})

function addIncident(m: ReferenceMessage, change: Partial<TrackIncidentMessage>): void {
  m.incidents.push(create(TrackIncidentSchema, { kind: 'off_track', fromPct: 0.4, toPct: 0.5, ...change }))
}

const refusals: Record<string, (m: ReferenceMessage) => void> = {
  'no series': m => delete m.series,
  'no combination': m => delete m.combination,
  'no time': m => (m.lapTimeMs = 0),
  'no time source': m => (m.timeSource = ''),
  'an unknown time source': m => (m.timeSource = 'guessed'),
  'a length of zero': m => (m.trackLengthM = 0),
  'a length of NaN': m => (m.trackLengthM = Number.NaN),
  'an infinite length': m => (m.trackLengthM = Number.POSITIVE_INFINITY),
  'a negative length': m => (m.trackLengthM = -1000),
  'a user id that is too long': m => (m.userId = 'x'.repeat(1001)),
  'a label that is too long': m => (m.combination!.carLabel = 'x'.repeat(1001)),
  'an unknown incident': m => addIncident(m, { kind: 'constructor' }),
  'an incident beyond the lap': m => addIncident(m, { toPct: 1.01 }),
  'an incident of NaN': m => addIncident(m, { fromPct: Number.NaN }),
  'an incident that ends before it starts': m => addIncident(m, { fromPct: 0.9 }),
  'too many incidents': m => {
    for (let i = 0; i < 101; i++) addIncident(m, {})
  },
  'no distances': m => m.series!.columns.shift(),
  'no times': m => m.series!.columns.splice(1, 1),
  'a series twice': m => m.series!.columns.push(m.series!.columns[2]!),
  'a series of another type': m => (m.series!.columns[2]!.type = ElementType.UINT32),
  'more points than bytes': m => (m.series!.rows = 20_001),
  'more points than allowed': m => (m.series!.rows = 4_294_967_295),
  'fewer points than bytes': m => (m.series!.rows = 4),
  'a single point': m => (m.series!.rows = 1),
  'no points': m => Object.assign(m.series!, { rows: 0, columns: [] }),
  'an unknown order': m => (m.series!.columns[2]!.order = 4),
  'uneven steps': m =>
    Object.assign(m.series!.columns[0]!, packColumn(Float64Array.of(0, 0.2, 0.5, 0.75, 1))),
  'steps beyond the lap': m =>
    Object.assign(m.series!.columns[0]!, packColumn(Float64Array.of(0, 0.5, 1, 1.5, 2))),
  'a time that falls': m => Object.assign(m.series!.columns[1]!, packColumn(Float64Array.of(0, 2, 1, 3, 4))),
  'a time that does not begin at the line': m =>
    Object.assign(m.series!.columns[1]!, packColumn(Float64Array.of(1, 2, 3, 4, 5))),
  'a time of NaN': m =>
    Object.assign(m.series!.columns[1]!, packColumn(Float64Array.of(0, 1, Number.NaN, 3, 4))),
  'an infinite time': m =>
    Object.assign(m.series!.columns[1]!, packColumn(Float64Array.of(0, 1, 2, 3, Infinity))),
}

for (const [what, change] of Object.entries(refusals)) {
  test(`rejects a message: ${what}`, () => assertRefused(changed(change)))
}

test('rejects more points than any lap has, although all their bytes are present', () => {
  assertRefused(encodeReference(sample(20_002), FACTS))
  assert.equal(decodeReference(encodeReference(sample(20_001), FACTS)).track.pct.length, 20_001)
})

test('rejects a message that is cut at any byte', () => {
  const whole = encodeReference(sample(), FACTS)
  for (let length = 0; length < whole.length; length++) assertRefused(whole.subarray(0, length))
})

test('decodes a damaged message or throws a WireError, never another error', () => {
  const whole = encodeReference(sample(9), FACTS)
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
  let refused = 0
  const decodeOrRefuse = (bytes: Uint8Array) => {
    try {
      decodeReference(bytes)
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

test('rejects very many empty columns, or an oversized combination, before creating them', () => {
  const series = ReferenceSchema.field.series.number
  const part = [(2 << 3) | WireType.LengthDelimited, 0]
  const swarm = Uint8Array.from({ length: 2_000_000 }, (_, i) => part[i % 2]!)
  assertRefused(
    new BinaryWriter().tag(series, WireType.LengthDelimited).bytes(swarm).finish(),
    'wire.too_many_parts',
  )
  const combination = ReferenceSchema.field.combination.number
  const large = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(new Uint8Array(65_536)).finish()
  assertRefused(new BinaryWriter().tag(combination, WireType.LengthDelimited).bytes(large).finish())
})

test('skips fields and columns of a newer server', () => {
  const bytes = changed(m =>
    m.series!.columns.push(
      create(ReferenceSchema, { series: { columns: [{ name: 'tyreTemp', type: ElementType.FLOAT32 }] } })
        .series!.columns[0]!,
    ),
  )
  const newer = new BinaryWriter().tag(77, WireType.Varint).uint32(5).finish()
  const decoded = decodeReference(Buffer.concat([bytes, newer]))
  assert.deepEqual(comparable(decoded), comparable({ facts: FACTS, track: sample() }))
})

test('refuses to encode series of different lengths', () => {
  assert.throws(() => encodeReference({ ...sample(), speed: new Float32Array(2) }, FACTS), RangeError)
})

test('returns the JSON of the contract, with null for non-finite values', () => {
  const json = referenceToJson({ facts: FACTS, track: sample() })
  // The contract's own type; `tsc` compares them.
  const contracted: components['schemas']['Reference'] = JSON.parse(JSON.stringify(json))
  assert.deepEqual(contracted, json)
  assert.deepEqual(json.meta, {
    lapId: FACTS.lapId,
    pointCount: 5,
    userId: 'user-1',
    lapTimeMs: 60_000,
    timeSource: 'official',
    trackLengthM: 1000,
    combination: FACTS.combination,
  })
  assert.deepEqual(json.series.pct, [0, 0.25, 0.5, 0.75, 1])
  assert.deepEqual(json.series.brake, [0.1, 0.1, 0.1, null, null])
  assert.equal('throttle' in json.series, false)
})

test('has the incidents of a lap in its JSON', () => {
  const incident = { kind: 'contact', fromPct: 0.25, toPct: 0.25 } as const
  const json = referenceToJson({ facts: FACTS, track: { ...sample(), incidents: [incident] } })
  const contracted: components['schemas']['Reference'] = JSON.parse(JSON.stringify(json))
  assert.deepEqual(contracted.meta.incidents, [incident])
})

test('has the series of the contract', () => {
  const { properties } = contract.components.schemas.Reference
  assert.deepEqual(Object.keys(properties.series.properties).toSorted(), TRACK_SERIES_NAMES.toSorted())
})
