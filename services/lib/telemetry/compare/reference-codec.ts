import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { WireType } from '@bufbuild/protobuf/wire'
import {
  type Column,
  type Combination as CombinationMessage,
  CombinationSchema,
  ReferenceSchema,
  type TrackIncident as TrackIncidentMessage,
  TrackIncidentSchema,
} from '@lapwing/contracts/telemetry.pb'
import { INCIDENT_KINDS, MAX_LAP_INCIDENTS } from '../laps/lap.ts'
import { packColumn, unpackColumn } from '../wire/pack-column.ts'
import {
  eachField,
  KNOWN_FIELDS,
  malformed,
  message,
  parseColumns,
  smallMessage,
  text,
} from '../wire/parse-message.ts'
import { oneOf, present } from '../wire/values.ts'
import { WireError } from '../wire/wire-error.ts'
import { type LapTrack, MAX_POINTS, type TrackIncident } from './lap-track.ts'
import type { Combination, Reference, ReferenceFacts } from './reference.ts'
import { TRACK_SERIES, TRACK_SERIES_NAMES, type TrackSeries } from './series.ts'

/** Encodes a lap as the message `lapwing.telemetry.v1.Reference`. The caller compresses it. */
export function encodeReference(track: LapTrack, facts: ReferenceFacts): Uint8Array<ArrayBuffer> {
  const { combination } = facts
  const rows = track.pct.length
  const columns = TRACK_SERIES_NAMES.flatMap(name => {
    const values = track[name]
    if (values === undefined) return []
    if (values.length !== rows) throw new RangeError(`Series ${name} differs in length.`)
    return [{ name, ...packColumn(values) }]
  })
  return toBinary(
    ReferenceSchema,
    create(ReferenceSchema, {
      lapId: facts.lapId,
      userId: facts.userId,
      lapTimeMs: track.timeMs,
      timeSource: facts.timeSource,
      ...present('trackLengthM', track.lengthM),
      combination: {
        sim: combination.sim,
        trackSlug: combination.track_slug,
        layout: combination.layout,
        carSlug: combination.car_slug,
        trackLabel: combination.track_label,
        carLabel: combination.car_label,
      },
      series: { rows, columns },
      incidents: [...(track.incidents ?? [])],
    }),
  )
}

/**
 * Decodes a message of `encodeReference`. Throws a `WireError` for anything else: a missing part, a series of
 * another type or length, uneven steps, a falling time. Allocates in proportion to the size of the message.
 * Skips series of unknown names.
 */
export function decodeReference(bytes: Uint8Array): Reference {
  const { lapId, userId, lapTimeMs, timeSource, trackLengthM, combination, series, incidents } = parse(bytes)
  if (series === undefined || combination === undefined) throw malformed('part missing')
  if (lapTimeMs === 0) throw malformed('lap time')
  if (trackLengthM !== null && !(trackLengthM > 0 && Number.isFinite(trackLengthM))) {
    throw malformed('track length')
  }
  return {
    facts: {
      lapId: shortText(lapId, 'lap id'),
      userId: shortText(userId, 'user id'),
      timeSource: oneOf(TIME_SOURCES, timeSource, 'time source') ?? 'official',
      combination: readCombination(combination),
    },
    track: {
      lengthM: trackLengthM,
      timeMs: lapTimeMs,
      ...(incidents.length > 0 ? { incidents: incidents.map(readIncident) } : {}),
      ...readSeries(series),
    },
  }
}

const TIME_SOURCES = ['official', 'interpolated'] as const

/** Ids are shorter, and so are names: ingest cuts them to 200 characters. */
const MAX_TEXT = 1000

function shortText(value: string, detail: string): string {
  if (value.length > MAX_TEXT) throw malformed(detail)
  return value
}

function readCombination(message: CombinationMessage): Combination {
  return {
    sim: shortText(message.sim, 'sim'),
    track_slug: shortText(message.trackSlug, 'track slug'),
    layout: shortText(message.layout, 'layout'),
    car_slug: shortText(message.carSlug, 'car slug'),
    track_label: shortText(message.trackLabel, 'track label'),
    car_label: shortText(message.carLabel, 'car label'),
  }
}

function readIncident({ kind, fromPct, toPct }: TrackIncidentMessage): TrackIncident {
  if (!(fromPct >= 0 && fromPct <= toPct && toPct <= 1)) throw malformed('incident')
  return { kind: oneOf(INCIDENT_KINDS, kind, 'incident')!, fromPct, toPct }
}

type Series = Pick<LapTrack, TrackSeries>

function readSeries({ rows, columns }: { rows: number; columns: Column[] }): Series {
  if (rows < 2 || rows > MAX_POINTS) throw malformed('points')
  const series: Partial<Record<TrackSeries, unknown>> = {}
  for (const column of columns) {
    if (!Object.hasOwn(TRACK_SERIES, column.name)) continue
    const name = column.name as TrackSeries
    if (series[name] !== undefined) throw malformed(`series ${name} twice`)
    const values = unpackColumn(column, rows)
    if (!(values instanceof TRACK_SERIES[name])) throw malformed(`series ${name}`)
    series[name] = values
  }
  // The table has the type that LapTrack has for each name; the two required ones are checked.
  const { pct, time } = series as Partial<Series>
  if (pct === undefined || time === undefined) throw malformed('series missing')
  assertEvenSteps(pct)
  assertTime(time)
  return series as Series
}

function assertEvenSteps(pct: Float64Array): void {
  const last = pct.length - 1
  for (let i = 0; i <= last; i++) if (pct[i] !== i / last) throw malformed('steps')
}

function assertTime(time: Float64Array): void {
  const last = time.length - 1
  if (time[0] !== 0 || !Number.isFinite(time[last]!)) throw malformed('time')
  for (let i = 1; i <= last; i++) if (!(time[i]! >= time[i - 1]!)) throw malformed('time')
}

interface Parts {
  lapId: string
  userId: string
  lapTimeMs: number
  timeSource: string
  trackLengthM: number | null
  combination?: CombinationMessage
  series?: { rows: number; columns: Column[] }
  incidents: TrackIncidentMessage[]
}

/** Parses by hand, like the preview: see `parse-message.ts`. */
function parse(bytes: Uint8Array): Parts {
  const { field } = ReferenceSchema
  const parts: Parts = {
    lapId: '',
    userId: '',
    lapTimeMs: 0,
    timeSource: '',
    trackLengthM: null,
    incidents: [],
  }
  try {
    eachField(bytes, {
      [field.lapId.number]: text(value => {
        parts.lapId = value
      }),
      [field.userId.number]: text(value => {
        parts.userId = value
      }),
      [field.lapTimeMs.number]: {
        wireType: WireType.Varint,
        read: reader => {
          parts.lapTimeMs = reader.uint32()
        },
      },
      [field.timeSource.number]: text(value => {
        parts.timeSource = value
      }),
      [field.trackLengthM.number]: {
        wireType: WireType.Bit64,
        read: reader => {
          parts.trackLengthM = reader.double()
        },
      },
      [field.combination.number]: smallMessage(part => {
        parts.combination = fromBinary(CombinationSchema, part, KNOWN_FIELDS)
      }),
      [field.series.number]: message(part => {
        parts.series = parseColumns(part)
      }),
      [field.incidents.number]: smallMessage(part => {
        if (parts.incidents.length === MAX_LAP_INCIDENTS) throw malformed('incidents')
        parts.incidents.push(fromBinary(TrackIncidentSchema, part, KNOWN_FIELDS))
      }),
    })
  } catch (cause) {
    if (cause instanceof WireError) throw cause
    throw new WireError('wire.malformed', 'not the message', { cause })
  }
  return parts
}
