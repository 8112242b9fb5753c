import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  type ByteSource,
  drivenAt,
  driverNumberOf,
  findSoftContradictions,
  type GearRatios,
  IbtError,
  type IbtFile,
  ibtLimits,
  type Lap,
  lapDataOf,
  lapFingerprint,
  lapTimeMs,
  openIbt,
  PREVIEW_COLUMNS,
  type Preview,
  type PreviewOptions,
  previewOf,
  REVIEW_CHANNELS,
  readColumns,
  sessionKindOf,
  trackFingerprint,
} from '@lapwing/telemetry'
import { encodeReference, type LapTrack, lapTrack } from '@lapwing/telemetry/compare'
import { ownBuffer } from '@lapwing/threads'
import { sightingOf } from '../corners/sighting.ts'
import type { ErrorCode } from '../errors.ts'
import { lapId } from '../lap-id.ts'
import type { TrackLocation } from '../tracks/track-location.ts'
import { chooseLaps } from './choose-laps.ts'
import type { FileCombination, JudgedFile, JudgedLap, LapSeries } from './judged-file.ts'

/** Thrown if the file is at fault; no further try can help. The driver can see `detail`. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly detail: string | null
  /** Of the file's bytes; null if they were not read. */
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
  /** Of the file's bytes; read only after the whole file. */
  readonly sha256: Uint8Array
  readonly userId: string
}

/**
 * Reads a file and judges its laps with the library of the page. Throws a `Refusal` if the file cannot be
 * read, or does not name a track and a car.
 */
export async function judgeFile(
  source: ByteSource,
  origin: Origin,
  options: PreviewOptions = {},
): Promise<JudgedFile> {
  try {
    const file = await openIbt(source)
    if (file.rows > ibtLimits.MAX_PREVIEW_ROWS) throw new IbtError('ibt.too_large', `${file.rows} rows`)
    const columns = await readColumns(file, JUDGED_COLUMNS, options)
    const data = lapDataOf(file, columns)
    const preview = previewOf(file, columns, data)
    const physics = findSoftContradictions(columns, data, preview.laps)
    const combination = combinationOf(file, preview)
    const moments = drivenAt(preview.laps, preview.sessionTime, file.startDate)
    const laps = preview.laps.map((lap, segment) => ({
      ...judged(preview, lap, segment, origin),
      drivenAt: moments[segment]!,
      sessionKind: sessionKindOf(file.session.sessionTypes.get(lap.session_num)),
      airTempC: plausibleAirTemp(preview.meta.weather.AirTemp),
      skies: preview.meta.weather.Skies,
      findings: physics[segment]?.contradictions ?? [],
      gearRatios: physics[segment]?.gearRatios ?? noGears,
    }))
    const tracks = tracksOf(preview, laps, options.signal)
    return {
      combination,
      simUserId: driverNumberOf(file.session),
      laps: withFingerprints(preview, laps, tracks, options.signal),
      series: seriesOf(tracks, combination, origin, options.signal),
      sighting: sightingOf(tracks),
    }
  } catch (error) {
    if (error instanceof IbtError) throw new Refusal('ingest.unreadable', error.message)
    throw error
  }
}

/** The columns of the preview, and those that show laps joined from several. */
const JUDGED_COLUMNS: ReadonlySet<string> = new Set([...PREVIEW_COLUMNS, ...REVIEW_CHANNELS])

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

/** Cuts a label without leaving half a character at the end. */
function cut(label: string): string {
  return label.slice(0, MAX_LABEL).toWellFormed()
}

function judged(
  preview: Preview,
  lap: Lap,
  segment: number,
  { sha256, userId }: Origin,
): Omit<JudgedLap, LapFact | 'findings' | 'gearRatios'> {
  const timeMs = lap.time_s === null ? null : lapTimeMs(lap.time_s)
  const isTimed = timeMs !== null && timeMs >= 1 && timeMs <= MAX_INT32
  return {
    id: lapId(sha256, userId, segment),
    lapNo: lap.lap,
    timeMs: isTimed ? timeMs : null,
    timeSource: isTimed ? lap.time_source : null,
    isCompleted: lap.is_completed,
    isClean: lap.is_clean,
    counts: lap.is_completed,
    reasons: lap.reasons,
    location: locationOf(preview, lap),
    fingerprint: null,
  }
}

/** Facts of a lap that no verdict follows from. */
type LapFact = 'drivenAt' | 'sessionKind' | 'airTempC' | 'skies'

/** Returns null for a temperature that no air has: the text of a file can be anything. */
function plausibleAirTemp(airTempC: number | null): number | null {
  return airTempC !== null && Math.abs(airTempC) <= 100 ? airTempC : null
}

const noGears: GearRatios = new Map()

/** Adds the fingerprints of the laps to store that count. They find copies of these laps (D-11). */
function withFingerprints(
  preview: Preview,
  laps: readonly JudgedLap[],
  packed: readonly PackedLap[],
  signal: PreviewOptions['signal'],
): readonly JudgedLap[] {
  const kept = new Set(chooseLaps(laps).kept)
  const result = [...laps]
  for (const [segment, lap] of laps.entries()) {
    if (!lap.counts || !kept.has(lap)) continue
    if (signal?.aborted) throw signal.reason
    const track = packed.find(({ lap: { id } }) => id === lap.id)?.track
    const fingerprint =
      track === undefined ? lapFingerprint(preview, preview.laps[segment]!) : trackFingerprint(track)
    result[segment] = { ...lap, fingerprint }
  }
  return result
}

/** Returns the location of a lap, or null. The length is right: otherwise a complete lap is `IMPLAUSIBLE`. */
function locationOf({ lat, lon, sessionTime, meta }: Preview, lap: Lap): TrackLocation | null {
  // Single positions can be absent, also that of the first row.
  let row = lap.row_start
  while (row < lap.row_end && !Number.isFinite(lat[row]!) && isNear(sessionTime, lap.row_start, row)) row++
  const location = { lat: lat[row]!, lon: lon[row]!, lengthM: meta.track_length_m ?? Number.NaN }
  return Object.values(location).every(Number.isFinite) ? location : null
}

/** A position within a second is close enough to the line. */
function isNear(sessionTime: Float64Array, line: number, row: number): boolean {
  return sessionTime[row]! - sessionTime[line]! < 1
}

/** Returns the chosen laps with their segments in the file, the fastest first. */
function fastestFirst(laps: readonly JudgedLap[], isChosen: (lap: JudgedLap) => boolean) {
  return laps
    .map((lap, segment) => ({ lap, segment }))
    .filter(({ lap }) => isChosen(lap))
    .sort((a, b) => a.lap.timeMs! - b.lap.timeMs! || a.segment - b.segment)
}

/** Laps with packed series: the fastest complete ones. The fastest clean one is added. */
const MAX_SERIES = 10

interface PackedLap {
  readonly lap: JudgedLap
  readonly track: LapTrack
}

/** Returns the laps whose series are packed, the fastest first. */
function tracksOf(
  preview: Preview,
  laps: readonly JudgedLap[],
  signal: PreviewOptions['signal'],
): readonly PackedLap[] {
  const fastest = fastestFirst(laps, lap => lap.isCompleted && lap.timeMs !== null)
  const kept = fastest.slice(0, MAX_SERIES)
  const clean = fastest.find(({ lap }) => lap.isClean && lap.counts)
  if (clean !== undefined && !kept.includes(clean)) kept.push(clean)
  return kept.flatMap(({ lap, segment }) => {
    if (signal?.aborted) throw signal.reason
    const track = lapTrack(preview, preview.laps[segment]!)
    return track === null || lap.timeSource === null ? [] : [{ lap, track }]
  })
}

function seriesOf(
  kept: readonly PackedLap[],
  combination: FileCombination,
  { userId }: Origin,
  signal: PreviewOptions['signal'],
): LapSeries[] {
  const { sim, track_slug, layout, car_slug, track_label, car_label } = combination
  return kept.map(({ lap: { id, timeSource }, track }) => {
    if (signal?.aborted) throw signal.reason
    const body = gzipSync(
      encodeReference(track, {
        lapId: id,
        userId,
        timeSource: timeSource!,
        combination: { sim, track_slug, layout, car_slug, track_label, car_label },
      }),
      gzipOptions,
    )
    const hash = createHash('sha256').update(body).digest('base64url')
    return { lapId: id, body: ownBuffer(body), hash }
  })
}

/** Recorded laps get 1.4 % smaller at level 6, in 2.5 times as much time: a fifth of the work on a file. */
const gzipOptions = { level: 3 }
