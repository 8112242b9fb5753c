import type { ByteSource } from '../byte-source.ts'
import type { Columns, ColumnValues } from '../columns.ts'
import { IbtError } from '../ibt/ibt-error.ts'
import type { IbtFile } from '../ibt/ibt-file.ts'
import { MAX_PREVIEW_ROWS } from '../ibt/limits.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { findLapsIn } from '../laps/find-laps.ts'
import { LAP_CHANNELS } from '../laps/lap-channels.ts'
import { type LapData, lapData } from '../laps/lap-data.ts'
import type { Positions } from '../positions.ts'
import { FIGURE_CHANNELS, lapFigures } from './lap-figures.ts'
import { missingSeries } from './missing-series.ts'
import type { Preview, PreviewOptions, PreviewSeries, SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { previewMeta } from './preview-meta.ts'

/**
 * Reads the preview of a session: its laps, one array a series, and the track and car. Reads only the
 * channels that it needs. Clamps pedals to 0..1, which the simulator can exceed slightly. Sets absent
 * positions (`positions.ts`) to NaN. All other values are the file's own.
 *
 * Rejects with an `IbtError` if the file cannot be read or lacks time or distance, and with the signal's
 * reason if aborted.
 */
export async function previewSession(source: ByteSource, options: PreviewOptions = {}): Promise<Preview> {
  const file = await openIbt(source)
  assertPreviewable(file)
  return previewOf(file, await readColumns(file, PREVIEW_COLUMNS, options))
}

/** Seconds since midnight in the simulation; files of 2015 lack it. */
const TIME_OF_DAY = 'SessionTimeOfDay'

/** The channels that a preview needs. */
export const PREVIEW_COLUMNS: ReadonlySet<string> = new Set([
  ...Object.values(PREVIEW_CHANNELS),
  TIME_OF_DAY,
  ...LAP_CHANNELS.map(({ name }) => name),
  ...FIGURE_CHANNELS,
])

/**
 * Makes the preview of columns that the caller has read: those of `PREVIEW_COLUMNS`, `file.rows` long. Takes
 * over some of the arrays and changes them.
 */
export function previewOf(file: IbtFile, columns: Columns, data = lapDataOf(file, columns)): Preview {
  assertPreviewable(file)
  return previewOfAnyLength(file, columns, data)
}

/** Makes the preview as `previewOf` does, of any number of rows. */
export function previewOfAnyLength(
  file: IbtFile,
  columns: Columns,
  data = lapDataOf(file, columns),
): Preview {
  const { trackDisplayName, trackName, carScreenName, carPath, sectorStarts } = file.session
  const found = data === null ? [] : findLapsIn(data)
  // First, because the series take over the columns.
  const laps = found.map(lap => ({ ...lap, figures: lapFigures(columns, lap, sectorStarts) }))
  return {
    ...series(columns, data),
    laps,
    meta: previewMeta(file.session, file.tickRate, timeOfDayS(columns) ?? file.session.timeOfDayS),
    debug: {
      weekend: { TrackDisplayName: trackDisplayName, TrackName: trackName },
      car: { CarScreenName: carScreenName, CarPath: carPath },
      rows: file.rows,
      partial: file.partial,
      missing: SERIES.filter(
        name => valuesOf(columns, name) === null || (isOfPosition(name) && !data?.positions),
      ),
    },
  }
}

/** Looks up the lap channels of a file that was read, for `previewOf` and `findSoftContradictions`. */
export function lapDataOf(file: IbtFile, columns: Columns): LapData | null {
  return lapData(columns, { ...file.session, tickRateHz: file.tickRate })
}

/** Throws an `IbtError` if the file is too long to be shown, or lacks time or distance. */
export function assertPreviewable(file: IbtFile): void {
  if (file.rows > MAX_PREVIEW_ROWS) throw new IbtError('ibt.too_large', `${file.rows} rows`)
  assertHasLapChannels(file)
}

export function assertHasLapChannels({ variablesByName }: IbtFile): void {
  for (const { name, need } of LAP_CHANNELS) {
    if (need === 'laps' && !variablesByName.has(name)) throw new IbtError('ibt.missing_channel', name)
  }
}

/** Returns the time of day at the first row; null if the channel is missing or has no time of a day. */
function timeOfDayS({ byName, rows }: Columns): number | null {
  const seconds = rows > 0 ? byName.get(TIME_OF_DAY)?.values[0] : undefined
  return seconds !== undefined && seconds >= 0 && seconds <= DAY_S ? Number(seconds) : null
}

const DAY_S = 86_400

const SERIES = Object.keys(PREVIEW_CHANNELS) as SeriesName[]

function valuesOf({ byName, rows }: Columns, name: SeriesName): ColumnValues | null {
  const column = byName.get(PREVIEW_CHANNELS[name])
  return column !== undefined && column.count === 1 && column.values.length === rows ? column.values : null
}

function isOfPosition(name: SeriesName): boolean {
  return name === 'lat' || name === 'lon'
}

function series(columns: Columns, data: LapData | null): PreviewSeries {
  const positions = data?.positions ?? null
  const float32 = (name: SeriesName) => toFloat32(valuesOf(columns, name), columns.rows)
  const alt = float32('alt')
  if (positions !== null && data!.lacksPositions) blankAbsent(positions, alt)
  return {
    lat: toFloat64(positions?.lat ?? null, columns.rows),
    lon: toFloat64(positions?.lon ?? null, columns.rows),
    lapDist: float32('lapDist'),
    lapDistPct: float32('lapDistPct'),
    alt,
    throttle: clampPedal(float32('throttle')),
    brake: clampPedal(float32('brake')),
    gear: toGears(valuesOf(columns, 'gear'), columns.rows),
    rpm: float32('rpm'),
    steeringWheelAngle: float32('steeringWheelAngle'),
    speed: float32('speed'),
    sessionTime: toFloat64(valuesOf(columns, 'sessionTime'), columns.rows),
  }
}

/** Returns the column itself if it has the type already: nothing else uses the columns of one read. */
function toFloat32(values: ColumnValues | null, rows: number): Float32Array {
  if (values === null) return missingSeries.float32(rows)
  return values instanceof Float32Array ? values : new Float32Array(values)
}

function toFloat64(values: ColumnValues | null, rows: number): Float64Array {
  if (values === null) return missingSeries.float64(rows)
  return values instanceof Float64Array ? values : new Float64Array(values)
}

function toGears(values: ColumnValues | null, rows: number): Int8Array {
  return values === null ? missingSeries.int8(rows) : new Int8Array(values)
}

/** Sets the altitude of rows without a position to NaN, in place. */
function blankAbsent({ lat }: Positions, alt: Float32Array): void {
  for (let row = 0; row < alt.length; row++) if (Number.isNaN(lat[row]!)) alt[row] = Number.NaN
}

/** Clamps to 0..1 in place; NaN stays NaN. */
function clampPedal(values: Float32Array): Float32Array {
  for (let row = 0; row < values.length; row++) {
    if (values[row]! < 0) values[row] = 0
    else if (values[row]! > 1) values[row] = 1
  }
  return values
}
