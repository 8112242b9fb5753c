import type { ByteSource } from '../byte-source.ts'
import type { Columns, ColumnValues } from '../columns.ts'
import type { IbtFile } from '../ibt/ibt-file.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { drivenAt } from '../laps/driven-at.ts'
import { findLapsIn } from '../laps/find-laps.ts'
import type { Lap } from '../laps/lap.ts'
import { LAP_CHANNELS } from '../laps/lap-channels.ts'
import type { PreviewMeta, PreviewOptions } from '../preview/preview.ts'
import { previewMeta } from '../preview/preview-meta.ts'
import { assertPreviewable, lapDataOf } from '../preview/preview-session.ts'
import { type SessionKind, sessionKindOf } from '../session/session-kind.ts'
import { lapOutline } from './lap-outline.ts'

/** One lap of a session, without its samples. The fields are those of `Lap`. */
export interface LapSummary
  extends Pick<
    Lap,
    'lap' | 'is_completed' | 'is_clean' | 'reasons' | 'time_s' | 'row_start' | 'session_num' | 'session_name'
  > {
  readonly incidents: number
  /** Milliseconds since 1970 when it began; null if the file has no date. */
  readonly drivenAtMs: number | null
}

/** A session without its samples: what a list of sessions shows. Some kilobytes, and it can be stored. */
export interface SessionSummary {
  readonly meta: PreviewMeta
  /** Milliseconds since 1970 when the recording began; null if the file has no date. */
  readonly startedAtMs: number | null
  /** Kinds of the simulator sessions that were driven, each once, in the order of the file. */
  readonly kinds: readonly SessionKind[]
  /** At most `MAX_SUMMARY_LAPS`, in the order of the file. */
  readonly laps: readonly LapSummary[]
  /** Seconds in which the car moved. */
  readonly movingS: number
  /** As in `SessionFacts`. */
  readonly setupDigest: string | null
  /** Pairs of x and y, 0..`OUTLINE_SIZE`, y down; empty if the file has no positions. */
  readonly outline: Int16Array
  /** True if the end of the file is missing. */
  readonly partial: boolean
}

/** A day of laps of 15 s. */
export const MAX_SUMMARY_LAPS = 5760

/**
 * Reads the summary of a session. It reads the channels by which laps are judged, and nothing else. Verdicts and times
 * are those of `previewSession`. Rejects as `previewSession` does.
 */
export async function summariseSession(
  source: ByteSource,
  options: PreviewOptions = {},
): Promise<SessionSummary> {
  const file = await openIbt(source)
  assertPreviewable(file)
  return summaryOf(file, await readColumns(file, SUMMARY_COLUMNS, options))
}

const SUMMARY_COLUMNS: ReadonlySet<string> = new Set(LAP_CHANNELS.map(({ name }) => name))

function summaryOf(file: IbtFile, columns: Columns): SessionSummary {
  const { session, startDate, tickRate, partial } = file
  const data = lapDataOf(file, columns)
  const laps = data === null ? [] : findLapsIn(data)
  const starts = data === null ? [] : drivenAt(laps, data.timeS, startDate)
  const kinds = laps.map(({ session_num }) => sessionKindOf(session.sessionTypes.get(session_num)))
  return {
    meta: previewMeta(session, tickRate, session.timeOfDayS),
    startedAtMs: startDate?.getTime() ?? null,
    kinds: [...new Set(kinds.filter(kind => kind !== null))],
    laps: laps.slice(0, MAX_SUMMARY_LAPS).map((lap, i) => ({
      lap: lap.lap,
      is_completed: lap.is_completed,
      is_clean: lap.is_clean,
      reasons: lap.reasons,
      time_s: lap.time_s,
      row_start: lap.row_start,
      session_num: lap.session_num,
      session_name: lap.session_name,
      incidents: lap.incidents.length,
      drivenAtMs: starts[i]?.getTime() ?? null,
    })),
    movingS: data === null ? 0 : movingSeconds(data.channel.Speed, data.rateHz),
    setupDigest: session.setupDigest,
    outline: data === null ? new Int16Array(0) : lapOutline(data, laps),
    partial,
  }
}

function movingSeconds(speed: ColumnValues | null, rateHz: number): number {
  let rows = 0
  if (speed !== null) for (let row = 0; row < speed.length; row++) if (speed[row]! > MOVING_MPS) rows++
  return rows / rateHz
}

/** A parked car has a speed of some centimetres a second. */
const MOVING_MPS = 1
