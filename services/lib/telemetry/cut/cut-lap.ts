import type { IbtFile } from '../ibt/ibt-file.ts'
import { MAX_FILE_BYTES } from '../ibt/limits.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { type RowRange, rowsOf } from '../ibt/rows-of.ts'
import { drivenAt } from '../laps/driven-at.ts'
import { findLapsIn } from '../laps/find-laps.ts'
import type { Lap } from '../laps/lap.ts'
import { LAP_CHANNELS } from '../laps/lap-channels.ts'
import { columnOf } from '../laps/lap-data.ts'
import { findSoftContradictions, type LapPhysics } from '../laps/physics/find-soft-contradictions.ts'
import { agreesInGears, contradictsItself, type GearRatios, gearRatios } from '../laps/physics/gear-ratios.ts'
import { REVIEW_CHANNELS } from '../laps/physics/joins.ts'
import { motionOf } from '../laps/physics/lap-motion.ts'
import { lapDataOf } from '../preview/preview-session.ts'
import { cutBytes, type LapCut } from './cut-bytes.ts'

export type { LapCut } from './cut-bytes.ts'

/** Seconds before and after the lap. */
const MARGIN_S = 5

/**
 * Cuts one complete lap out of a file, as a file of its own that gets the same verdict. Judges each cut before it
 * returns it. Most laps need 5 s before and after. If the verdict needs more, the cut has the whole lap before,
 * after, or both (`CONTEXTS`). Returns null if no such cut has the verdict, or all are too large to be sent.
 *
 * Reads the rows of the cut, and the lap next to it to compare the gears. Rejects as `readColumns` does.
 *
 * @param laps all laps of the file, by its rows
 * @param startedAt when the lap began, by `drivenAt`; null if the file has no date
 */
export async function cutLap(
  file: IbtFile,
  laps: readonly Lap[],
  lap: Lap,
  startedAt: Date | null,
): Promise<LapCut | null> {
  const index = laps.indexOf(lap)
  let hasOddGears: boolean | null = null
  for (const context of CONTEXTS) {
    const rows = await beginOnSecond(file, rowsOfCut(file, laps, index, context), lap, startedAt)
    const cut = await judge(file, rows)
    const at = cut.laps.findIndex(({ row_start }) => row_start === lap.row_start - rows.from)
    const found = cut.laps[at]
    const physics = cut.physics[at]
    if (found === undefined || !isSameVerdict(found, lap)) continue
    // A lap that contradicts the gears of its file is held for review, and its cut must be held too.
    hasOddGears ??= physics != null && (await contradictsGears(file, laps, index, physics.gearRatios))
    if (physics?.contradictions.includes('gear_ratio') !== hasOddGears) continue
    const sinceStartMs = drivenAt(cut.laps, cut.timeS, new Date(0))[at]!.getTime()
    const startDate = startedAt && new Date(startedAt.getTime() - sinceStartMs)
    const bytes = await cutBytes(file, rows, {
      startDate,
      startTimeS: cut.timeS[0]!,
      endTimeS: cut.timeS.at(-1)!,
      lapCount: cut.laps.length - 1,
    })
    return bytes.sizeBytes <= MAX_FILE_BYTES ? bytes : null
  }
  return null
}

/** What a cut has besides the lap and its margins, the shortest first. */
interface Context {
  readonly before: 0 | 1
  readonly after: 0 | 1
}

/**
 * Three verdicts need another lap. The finish line lies after the start line (D-29). A standing start was more than
 * 5 s before the line. The gears contradict those of other laps.
 */
const CONTEXTS: readonly Context[] = [
  { before: 0, after: 0 },
  { before: 1, after: 0 },
  { before: 0, after: 1 },
  { before: 1, after: 1 },
]

function rowsOfCut(
  { rows, tickRate }: IbtFile,
  laps: readonly Lap[],
  index: number,
  { before, after }: Context,
): RowRange {
  const lap = laps[index]!
  const sameSession = (other: Lap | undefined): Lap =>
    other !== undefined && other.session_num === lap.session_num ? other : lap
  const first = sameSession(laps[index - before])
  const last = sameSession(laps[index + after])
  // Missing rows make the margin longer. If the finish line is late, so is the score.
  const lateS = before + after > 0 ? MAX_LATE_FINISH * (lap.time_s ?? 0) : 0
  return {
    from: Math.max(0, first.row_start - Math.ceil(MARGIN_S * tickRate)),
    end: Math.min(rows, last.row_end + 1 + Math.ceil((MARGIN_S + lateS) * tickRate)),
  }
}

/** Longest way from the start line to a finish line after it, as a share of the lap. */
const MAX_LATE_FINISH = 0.05

/**
 * Moves the first row back by up to a second, to one that was recorded on a whole second of the file's date. The
 * header of a file has whole seconds, so the cut then states when its lap was driven to the millisecond.
 */
async function beginOnSecond(
  file: IbtFile,
  { from, end }: RowRange,
  lap: Lap,
  startedAt: Date | null,
): Promise<RowRange> {
  if (startedAt === null) return { from, end }
  const earliest = Math.max(0, from - file.tickRate)
  const columns = await readColumns(rowsOf(file, { from: earliest, end: lap.row_start + 1 }), ['SessionTime'])
  const timeS = columnOf(columns, 'SessionTime')
  const startS = timeS?.[lap.row_start - earliest]
  if (timeS === null || startS === undefined) return { from, end }
  let nearest = from
  let leastS = Number.POSITIVE_INFINITY
  for (let row = from; row >= earliest; row--) {
    const atS = startedAt.getTime() / 1000 - (startS - timeS[row - earliest]!)
    const offS = Math.abs(atS - Math.round(atS))
    if (!(offS < leastS - EXACT_S)) continue
    nearest = row
    leastS = offS
  }
  return { from: nearest, end }
}

/** A millisecond: the error of the time at which a lap was driven. */
const EXACT_S = 0.001

/** The channels of every verdict and of the review. */
const JUDGED_CHANNELS: ReadonlySet<string> = new Set([
  ...LAP_CHANNELS.map(({ name }) => name),
  ...REVIEW_CHANNELS,
  'Gear',
])

interface Judged {
  readonly laps: readonly Lap[]
  readonly physics: readonly (LapPhysics | null)[]
  readonly timeS: ArrayLike<number> & { at(index: number): number | undefined }
}

async function judge(file: IbtFile, rows: RowRange): Promise<Judged> {
  const part = rowsOf(file, rows)
  const columns = await readColumns(part, JUDGED_CHANNELS)
  const data = lapDataOf(part, columns)
  if (data === null) return { laps: [], physics: [], timeS: [] }
  const laps = findLapsIn(data)
  return { laps, physics: findSoftContradictions(columns, data, laps), timeS: data.timeS }
}

function isSameVerdict(cut: Lap, whole: Lap): boolean {
  return (
    cut.is_completed === whole.is_completed &&
    cut.time_s === whole.time_s &&
    cut.time_source === whole.time_source &&
    cut.reasons.join() === whole.reasons.join() &&
    cut.incidents.map(({ kind }) => kind).join() === whole.incidents.map(({ kind }) => kind).join()
  )
}

/** Returns whether the gears of a lap contradict each other, or all other laps of the file that share one. */
async function contradictsGears(
  file: IbtFile,
  laps: readonly Lap[],
  index: number,
  ratios: GearRatios,
): Promise<boolean> {
  if (contradictsItself(ratios)) return true
  const others = laps
    .map((lap, at) => ({ lap, distance: Math.abs(at - index) }))
    .filter(({ lap, distance }) => distance > 0 && lap.is_completed)
    .sort((a, b) => a.distance - b.distance)
  let isContradicted = false
  // Nearly always the first one agrees.
  for (const { lap } of ratios.size === 0 ? [] : others) {
    const agrees = agreesInGears(ratios, await gearsOf(file, lap))
    if (agrees === true) return false
    if (agrees === false) isContradicted = true
  }
  return isContradicted
}

async function gearsOf(file: IbtFile, { row_start, row_end }: Lap): Promise<GearRatios> {
  const part = rowsOf(file, { from: row_start, end: row_end + 1 })
  const columns = await readColumns(part, JUDGED_CHANNELS)
  const data = lapDataOf(part, columns)
  const motion = data && motionOf(data, { rowStart: 0, rowEnd: part.rows - 1 })
  return data === null || motion === null ? new Map() : gearRatios(data, motion, columnOf(columns, 'Gear'))
}
