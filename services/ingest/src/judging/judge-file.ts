import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  type ByteSource,
  driverNumberOf,
  IbtError,
  type IbtFile,
  type Lap,
  lapTimeMs,
  openIbt,
  PREVIEW_COLUMNS,
  type Preview,
  type PreviewOptions,
  previewOf,
  readColumns,
} from '@lapwing/telemetry'
import { encodeReference, lapTrack } from '@lapwing/telemetry/compare'
import type { ErrorCode } from '../errors.ts'
import { lapId } from '../lap-id.ts'
import type { Place } from '../tracks/place.ts'
import type { FileCombination, JudgedFile, JudgedLap, LapSeries } from './judged-file.ts'

/** The file is at fault, and will be however often it is tried. `detail` is fit to be shown. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly detail: string | null
  /** Of the file's bytes; null where they were not read. */
  readonly sha256: Buffer | null

  constructor(code: ErrorCode, detail: string | null = null, sha256: Buffer | null = null) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.detail = detail
    this.sha256 = sha256
  }
}

export interface Origin {
  /** Of the file's bytes; asked for when they have been read. */
  readonly sha256: Uint8Array
  readonly userId: string
}

/**
 * Reads a file and judges its laps, by the same library the page uses. Throws a `Refusal` where it
 * cannot be read, or says too little to have a board.
 */
export async function judgeFile(
  source: ByteSource,
  origin: Origin,
  options: PreviewOptions = {},
): Promise<JudgedFile> {
  try {
    const file = await openIbt(source)
    // More would cost hundreds of megabytes for a file nobody drove: real rows have 560 bytes or more.
    if (file.rows > maxRows) throw new IbtError('ibt.too_large', `${file.rows} rows`)
    const columns = await readColumns(file, PREVIEW_COLUMNS, options)
    const preview = previewOf(file, columns)
    const combination = combinationOf(file, preview)
    const hasAnswers = columns.byName.get('LapLastLapTime')?.count === 1
    const laps = preview.laps.map((lap, segment) => judged(preview, lap, segment, hasAnswers, origin))
    return {
      combination,
      simUserId: driverNumberOf(file.session),
      laps,
      series: seriesOf(preview, laps, combination, origin, options.signal),
    }
  } catch (error) {
    if (error instanceof IbtError) throw new Refusal('ingest.unreadable', error.message)
    throw error
  }
}

export const maxRows = 1_000_000

function combinationOf({ session }: IbtFile, { meta }: Preview): FileCombination {
  const { trackId, trackDisplayName, trackName, carPath, carScreenName, carId } = session
  const hasTrack = trackId !== null && trackId > 0 && trackId <= MAX_INT32
  const hasNames = (trackDisplayName ?? trackName) !== null && (carPath ?? carScreenName) !== null
  if (!hasTrack || !hasNames) throw new Refusal('ingest.unidentified')
  return {
    sim: meta.sim,
    track_slug: meta.track_slug.slice(0, MAX_SLUG),
    layout: meta.layout.slice(0, MAX_SLUG),
    car_slug: meta.car_slug.slice(0, MAX_SLUG),
    track_label: cut(meta.track_label),
    car_label: cut(meta.car_label),
    sim_track_id: trackId,
    sim_car_id: carId !== null && carId > 0 && carId <= MAX_INT32 ? carId : null,
  }
}

const MAX_INT32 = 2 ** 31 - 1
const MAX_SLUG = 100
const MAX_LABEL = 200

/** No half of a character is left at the end. */
function cut(label: string): string {
  return label.slice(0, MAX_LABEL).toWellFormed()
}

function judged(
  preview: Preview,
  lap: Lap,
  segment: number,
  hasAnswers: boolean,
  { sha256, userId }: Origin,
): JudgedLap {
  const timeMs = lap.time_s === null ? null : lapTimeMs(lap.time_s)
  const isTimed = timeMs !== null && timeMs >= 1 && timeMs <= MAX_INT32
  return {
    id: lapId(sha256, userId, segment),
    lapNo: lap.lap,
    timeMs: isTimed ? timeMs : null,
    timeSource: isTimed ? lap.time_source : null,
    isCompleted: lap.is_completed,
    isClean: lap.is_clean,
    counts:
      lap.is_completed &&
      isTimed &&
      (lap.time_source === 'official' || (hasAnswers && endsBeforeAnswer(preview, segment))),
    reasons: lap.reasons,
    place: placeOf(preview, lap),
  }
}

/** The length is true: a complete lap of another one is `IMPLAUSIBLE`. */
function placeOf({ lat, lon, meta }: Preview, lap: Lap): Place | null {
  const place = {
    lat: lat[lap.row_start]!,
    lon: lon[lap.row_start]!,
    lengthM: meta.track_length_m ?? Number.NaN,
  }
  return Object.values(place).every(Number.isFinite) ? place : null
}

/**
 * Whether the session ends before the simulator's own time for the lap had to be there. A time that did
 * not come although it could have is no time for a board.
 */
function endsBeforeAnswer({ laps, sessionTime }: Preview, segment: number): boolean {
  const { row_end: rowEnd, session_num: sessionNum } = laps[segment]!
  let last = segment
  while (last + 1 < laps.length && laps[last + 1]!.session_num === sessionNum) last++
  return sessionTime[laps[last]!.row_end]! < sessionTime[rowEnd]! + ANSWER_WITHIN_S
}

/** As the rules of timing have it: see `laps/time-laps.ts` of the telemetry library. */
const ANSWER_WITHIN_S = 2.05

/** Laps whose series are kept: the fastest complete ones, and the fastest clean one. */
const MAX_SERIES = 10

function seriesOf(
  preview: Preview,
  laps: readonly JudgedLap[],
  combination: FileCombination,
  { userId }: Origin,
  signal: PreviewOptions['signal'],
): LapSeries[] {
  const fastest = laps
    .map((lap, segment) => ({ ...lap, segment }))
    .filter(lap => lap.isCompleted && lap.timeMs !== null)
    .sort((a, b) => a.timeMs! - b.timeMs! || a.segment - b.segment)
  const kept = fastest.slice(0, MAX_SERIES)
  const clean = fastest.find(lap => lap.isClean && lap.counts)
  if (clean !== undefined && !kept.includes(clean)) kept.push(clean)

  const { sim, track_slug, layout, car_slug, track_label, car_label } = combination
  return kept.flatMap(({ id, segment, timeSource }) => {
    if (signal?.aborted) throw signal.reason
    const track = lapTrack(preview, preview.laps[segment]!)
    if (track === null || timeSource === null) return []
    const body = gzipSync(
      encodeReference(track, {
        lapId: id,
        userId,
        timeSource,
        combination: { sim, track_slug, layout, car_slug, track_label, car_label },
      }),
      gzipOptions,
    )
    return [{ lapId: id, body: ownBuffer(body), hash: hashOf(body) }]
  })
}

/** Bytes of delta-coded columns hardly get smaller at higher levels. */
const gzipOptions = { level: 6 }

function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url')
}

/** A small buffer shares an allocation with others, which cannot be moved to another thread. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)
}
