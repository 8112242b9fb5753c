import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  type Column,
  type Debug as DebugMessage,
  DebugSchema,
  ElementType,
  type LapFigures as FiguresMessage,
  type Lap as LapMessage,
  LapSchema,
  type Meta as MetaMessage,
  MetaSchema,
  PreviewSchema,
} from '@lapwing/contracts/telemetry.pb'
import {
  INCIDENT_KINDS,
  INCOMPLETE_REASONS,
  type Lap,
  type LapFigures,
  type LapIncident,
  type LapReason,
  MAX_LAP_INCIDENTS,
  MAX_LAP_SECTORS,
  UNCLEAN_REASONS,
} from '../laps/lap.ts'
import { missingSeries } from '../preview/missing-series.ts'
import type { Preview, PreviewSeries, SeriesName } from '../preview/preview.ts'
import { packColumn, unpackColumn } from './pack-column.ts'
import { eachField, KNOWN_FIELDS, malformed, message, parseColumns, smallMessage } from './parse-message.ts'
import { oneOf, present } from './values.ts'
import { WireError } from './wire-error.ts'

export { WIRE_ERRORS, WireError, type WireErrorCode } from './wire-error.ts'

/** Encodes a preview as the message `lapwing.telemetry.v1.Preview`. HTTP compresses it. */
export function encodePreview(preview: Preview): Uint8Array {
  const { meta, debug } = preview
  return toBinary(
    PreviewSchema,
    create(PreviewSchema, {
      series: seriesMessage(preview),
      laps: preview.laps.map(lap => ({
        lap: lap.lap,
        isCompleted: lap.is_completed,
        isClean: lap.is_clean,
        reasons: [...lap.reasons],
        ...present('timeS', lap.time_s),
        ...present('timeFmt', lap.time_fmt),
        ...present('timeSource', lap.time_source),
        rowStart: lap.row_start,
        rowEnd: lap.row_end,
        incidents: lap.incidents.map(({ kind, row_start, row_end }) => ({
          kind,
          rowStart: row_start,
          rowEnd: row_end,
        })),
        sessionNum: lap.session_num,
        ...present('sessionName', lap.session_name),
        ...present('figures', lap.figures ? figuresMessage(lap.figures) : null),
      })),
      meta: {
        sim: meta.sim,
        trackSlug: meta.track_slug,
        layout: meta.layout,
        carSlug: meta.car_slug,
        trackLabel: meta.track_label,
        carLabel: meta.car_label,
        ...present('trackLengthM', meta.track_length_m),
        ...present('redLineRpm', meta.red_line_rpm),
        ...present('shiftRpm', meta.shift_rpm),
        sampleRateHz: meta.sample_rate_hz,
        ...present('timeOfDayS', meta.time_of_day_s),
        ...present('airTemp', meta.weather.AirTemp),
        ...present('skies', meta.weather.Skies),
      },
      debug: {
        ...present('trackDisplayName', debug.weekend.TrackDisplayName),
        ...present('trackName', debug.weekend.TrackName),
        ...present('carScreenName', debug.car.CarScreenName),
        ...present('carPath', debug.car.CarPath),
        rows: debug.rows,
        partial: debug.partial,
        missing: [...debug.missing],
      },
    }),
  )
}

/**
 * Decodes a message of `encodePreview`. Throws a `WireError` for a damaged or hostile message. Allocates in
 * proportion to its size. Server and page can be of different versions during a deploy: a series that the
 * server does not send is missing, as if the file lacked it. Names of unknown series are skipped.
 */
export function decodePreview(bytes: Uint8Array): Preview {
  const { series, laps, meta, debug } = parse(bytes)
  if (series === undefined || meta === undefined || debug === undefined) throw malformed('part missing')
  if (meta.sim !== 'iracing') throw malformed('sim')
  const { found, absent } = readSeries(series)
  return {
    ...found,
    laps: laps.map(lap => readLap(lap, series.rows)),
    meta: {
      sim: meta.sim,
      track_slug: meta.trackSlug,
      layout: meta.layout,
      car_slug: meta.carSlug,
      track_label: meta.trackLabel,
      car_label: meta.carLabel,
      track_length_m: meta.trackLengthM ?? null,
      red_line_rpm: meta.redLineRpm ?? null,
      shift_rpm: meta.shiftRpm ?? null,
      sample_rate_hz: meta.sampleRateHz,
      time_of_day_s: meta.timeOfDayS ?? null,
      weather: { AirTemp: meta.airTemp ?? null, Skies: oneOf(SKIES, meta.skies, 'skies') },
    },
    debug: {
      weekend: {
        TrackDisplayName: debug.trackDisplayName ?? null,
        TrackName: debug.trackName ?? null,
      },
      car: { CarScreenName: debug.carScreenName ?? null, CarPath: debug.carPath ?? null },
      rows: debug.rows,
      partial: debug.partial,
      missing: [...new Set([...debug.missing.filter(isSeriesName), ...absent])],
    },
  }
}

/** The series by name, with the one type of each. */
const SERIES: Readonly<Record<SeriesName, ElementType>> = {
  lat: ElementType.FLOAT64,
  lon: ElementType.FLOAT64,
  lapDist: ElementType.FLOAT32,
  lapDistPct: ElementType.FLOAT32,
  alt: ElementType.FLOAT32,
  throttle: ElementType.FLOAT32,
  brake: ElementType.FLOAT32,
  gear: ElementType.INT8,
  rpm: ElementType.FLOAT32,
  steeringWheelAngle: ElementType.FLOAT32,
  speed: ElementType.FLOAT32,
  sessionTime: ElementType.FLOAT64,
}

const SERIES_NAMES = Object.keys(SERIES) as SeriesName[]

const isSeriesName = (name: string): name is SeriesName => Object.hasOwn(SERIES, name)

const REASONS: readonly LapReason[] = [...INCOMPLETE_REASONS, ...UNCLEAN_REASONS]

const TIME_SOURCES = ['official', 'interpolated'] as const

const SKIES = [0, 1, 2, 3] as const

function seriesMessage(preview: PreviewSeries) {
  const rows = preview.lat.length
  const columns = SERIES_NAMES.map(name => {
    if (preview[name].length !== rows) throw new RangeError(`Series ${name} differs in length.`)
    return { name, ...packColumn(preview[name]) }
  })
  return { rows, columns }
}

function readSeries({ rows, columns }: { rows: number; columns: Column[] }) {
  const byName = new Map(columns.map(column => [column.name, column]))
  // Every version sends it. Its bytes prove the number of rows before an absent series is filled.
  if (!byName.has('sessionTime')) throw malformed('series sessionTime')
  const sent = SERIES_NAMES.filter(name => byName.has(name))
  const absent = SERIES_NAMES.filter(name => !byName.has(name))
  const read = sent.map(name => {
    const column = byName.get(name)!
    if (column.type !== SERIES[name]) throw malformed(`series ${name}`)
    return [name, unpackColumn(column, rows)]
  })
  const filled = absent.map(name => [name, MISSING[SERIES[name]]!(rows)])
  // Each name is present with the type of the table, which is that of PreviewSeries.
  return { found: Object.fromEntries([...read, ...filled]) as unknown as PreviewSeries, absent }
}

const MISSING: Readonly<Partial<Record<ElementType, (rows: number) => PreviewSeries[SeriesName]>>> = {
  [ElementType.INT8]: missingSeries.int8,
  [ElementType.FLOAT32]: missingSeries.float32,
  [ElementType.FLOAT64]: missingSeries.float64,
}

function readLap(lap: LapMessage, rows: number): Lap {
  if (lap.rowStart > lap.rowEnd || lap.rowEnd >= rows) throw malformed('lap rows')
  return {
    lap: lap.lap,
    is_completed: lap.isCompleted,
    is_clean: lap.isClean,
    reasons: lap.reasons.map(reason => oneOf(REASONS, reason, 'reason')!),
    time_s: lap.timeS ?? null,
    time_fmt: lap.timeFmt ?? null,
    time_source: oneOf(TIME_SOURCES, lap.timeSource, 'time source'),
    row_start: lap.rowStart,
    row_end: lap.rowEnd,
    incidents: readIncidents(lap),
    session_num: lap.sessionNum,
    session_name: lap.sessionName ?? null,
    ...(lap.figures && { figures: readFigures(lap.figures) }),
  }
}

function figuresMessage(figures: LapFigures) {
  return {
    sectorsS: [...figures.sectors_s],
    ...present('topSpeedMps', figures.top_speed_mps),
    ...present('fuelUsedL', figures.fuel_used_l),
    tyreTempsC: [...figures.tyre_temps_c],
    ...present('trackTempC', figures.track_temp_c),
    ...present('trackWetness', figures.track_wetness ?? null),
    ...present('incidentPoints', figures.incident_points),
  }
}

function readFigures(figures: FiguresMessage): LapFigures {
  const { sectorsS, tyreTempsC } = figures
  if (sectorsS.length > MAX_LAP_SECTORS || ![0, 4].includes(tyreTempsC.length)) throw malformed('figures')
  return {
    sectors_s: sectorsS,
    top_speed_mps: figures.topSpeedMps ?? null,
    fuel_used_l: figures.fuelUsedL ?? null,
    tyre_temps_c: tyreTempsC,
    track_temp_c: figures.trackTempC ?? null,
    track_wetness: figures.trackWetness ?? null,
    incident_points: figures.incidentPoints ?? null,
  }
}

function readIncidents({ incidents, rowStart, rowEnd }: LapMessage): readonly LapIncident[] {
  if (incidents.length > MAX_LAP_INCIDENTS) throw malformed('incidents')
  return incidents.map(incident => {
    const isInLap = incident.rowStart >= rowStart && incident.rowEnd <= rowEnd
    if (!isInLap || incident.rowStart > incident.rowEnd) throw malformed('incident rows')
    return {
      kind: oneOf(INCIDENT_KINDS, incident.kind, 'incident')!,
      row_start: incident.rowStart,
      row_end: incident.rowEnd,
    }
  })
}

interface Parts {
  series?: { rows: number; columns: Column[] }
  laps: LapMessage[]
  meta?: MetaMessage
  debug?: DebugMessage
}

/**
 * Parses the two outer levels by hand. The runtime would create every part before it can be counted, and lets
 * a part reach beyond its own end. The runtime parses the parts themselves.
 */
function parse(bytes: Uint8Array): Parts {
  const { series, laps, meta, debug } = PreviewSchema.field
  const parts: Parts = { laps: [] }
  try {
    eachField(bytes, {
      [series.number]: message(part => {
        parts.series = parseColumns(part)
      }),
      [laps.number]: smallMessage(part => {
        parts.laps.push(fromBinary(LapSchema, part, KNOWN_FIELDS))
      }),
      [meta.number]: smallMessage(part => {
        parts.meta = fromBinary(MetaSchema, part, KNOWN_FIELDS)
      }),
      [debug.number]: smallMessage(part => {
        parts.debug = fromBinary(DebugSchema, part, KNOWN_FIELDS)
      }),
    })
  } catch (cause) {
    if (cause instanceof WireError) throw cause
    throw new WireError('wire.malformed', 'not the message', { cause })
  }
  return parts
}
