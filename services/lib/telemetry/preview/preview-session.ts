import type { ByteSource } from '../byte-source.ts'
import type { Columns, ColumnValues } from '../columns.ts'
import { IbtError } from '../ibt/ibt-error.ts'
import type { IbtFile } from '../ibt/ibt-file.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { findLaps } from '../laps/find-laps.ts'
import { LAP_CHANNELS } from '../laps/lap-channels.ts'
import type { Preview, PreviewOptions, PreviewSeries, SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { previewMeta } from './preview-meta.ts'

/**
 * Reads what a driver sees of a session: its laps, one array a series, and what it was driven on.
 * Only the channels that need it are read. Pedals are clamped to 0..1, which the simulator leaves by
 * a hair; everything else is the file's own value, but for the place of rows at which the car was
 * not in the world: NaN instead of 0° north 0° east.
 *
 * Rejects with an `IbtError` where the file cannot be read or does not say where on the lap the car
 * is, and with the signal's reason where it is stopped.
 */
export async function previewSession(source: ByteSource, options: PreviewOptions = {}): Promise<Preview> {
  const file = await openIbt(source)
  assertHasLaps(file)
  return previewOf(file, await readColumns(file, PREVIEW_COLUMNS, options))
}

/** The channels a preview is made of. */
export const PREVIEW_COLUMNS: ReadonlySet<string> = new Set([
  ...Object.values(PREVIEW_CHANNELS),
  ...LAP_CHANNELS.map(({ name }) => name),
])

/**
 * The same of columns that were read already, those of `PREVIEW_COLUMNS` and `file.rows` long; it
 * makes some of them its own.
 */
export function previewOf(file: IbtFile, columns: Columns): Preview {
  assertHasLaps(file)
  const laps = findLaps(columns, file.session)
  const { trackDisplayName, trackName, carScreenName, carPath } = file.session
  return {
    ...series(columns),
    laps,
    meta: previewMeta(file.session, file.tickRate),
    debug: {
      weekend: { TrackDisplayName: trackDisplayName, TrackName: trackName },
      car: { CarScreenName: carScreenName, CarPath: carPath },
      rows: file.rows,
      partial: file.partial,
      missing: SERIES.filter(name => valuesOf(columns, name) === null),
    },
  }
}

function assertHasLaps({ variablesByName }: IbtFile): void {
  for (const { name, need } of LAP_CHANNELS) {
    if (need === 'laps' && !variablesByName.has(name)) throw new IbtError('ibt.missing_channel', name)
  }
}

const SERIES = Object.keys(PREVIEW_CHANNELS) as SeriesName[]

function valuesOf({ byName, rows }: Columns, name: SeriesName): ColumnValues | null {
  const column = byName.get(PREVIEW_CHANNELS[name])
  return column !== undefined && column.count === 1 && column.values.length === rows ? column.values : null
}

function series(columns: Columns): PreviewSeries {
  const float32 = (name: SeriesName) => toFloat32(valuesOf(columns, name), columns.rows)
  const float64 = (name: SeriesName) => toFloat64(valuesOf(columns, name), columns.rows)
  const lat = float64('lat')
  const lon = float64('lon')
  const alt = float32('alt')
  blankNowhere(lat, lon, alt)
  return {
    lat,
    lon,
    lapDist: float32('lapDist'),
    lapDistPct: float32('lapDistPct'),
    alt,
    throttle: clampPedal(float32('throttle')),
    brake: clampPedal(float32('brake')),
    gear: toGears(valuesOf(columns, 'gear'), columns.rows),
    rpm: float32('rpm'),
    steeringWheelAngle: float32('steeringWheelAngle'),
    speed: float32('speed'),
    sessionTime: float64('sessionTime'),
  }
}

/** The column itself where it has the type already: columns of one read are shared by nobody else. */
function toFloat32(values: ColumnValues | null, rows: number): Float32Array {
  if (values === null) return new Float32Array(rows).fill(Number.NaN)
  return values instanceof Float32Array ? values : new Float32Array(values)
}

function toFloat64(values: ColumnValues | null, rows: number): Float64Array {
  if (values === null) return new Float64Array(rows).fill(Number.NaN)
  return values instanceof Float64Array ? values : new Float64Array(values)
}

function toGears(values: ColumnValues | null, rows: number): Int8Array {
  return values === null ? new Int8Array(rows) : new Int8Array(values)
}

/** The simulator's blank rows lie at exactly 0, 0: drawn, they would be a line to the Gulf of Guinea. */
function blankNowhere(lat: Float64Array, lon: Float64Array, alt: Float32Array): void {
  for (let row = 0; row < lat.length; row++) {
    if (lat[row] !== 0 || lon[row] !== 0) continue
    lat[row] = Number.NaN
    lon[row] = Number.NaN
    alt[row] = Number.NaN
  }
}

/** In place; NaN stays NaN. */
function clampPedal(values: Float32Array): Float32Array {
  for (let row = 0; row < values.length; row++) {
    if (values[row]! < 0) values[row] = 0
    else if (values[row]! > 1) values[row] = 1
  }
  return values
}
