import { type Lap, lapTimeMs } from '@lapwing/telemetry'
import {
  LAP_KINDS,
  type LapKind,
  type LapLog,
  lapKinds,
  type SectorBests,
  type TimedLap,
} from '@lapwing/telemetry/stints'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { mainReason, reasonWords } from '#shared/laps/reason-words.ts'

/** A sector of a lap. */
export interface SectorCell {
  readonly seconds: number
  /** Seconds behind the best; negative if the lap is faster and does not count. */
  readonly gapS: number
  /** Whether it is the best of the laps that count. */
  readonly isBest: boolean
}

/** A lap in the table. */
export interface LapRow {
  readonly lap: Lap
  readonly kinds: readonly LapKind[]
  /** What the lap was, in a driver's words: "clean", "out lap", "caution, traffic". */
  readonly words: string
  /** Seconds of a complete lap, and behind the best lap that counts; null for a partial lap. */
  readonly timeS: number | null
  readonly gapS: number | null
  /** Whether it is the best lap that counts. */
  readonly isBest: boolean
  readonly sectors: readonly SectorCell[]
}

const KIND_WORDS: Readonly<Record<LapKind, string>> = {
  out: 'out lap',
  in: 'in lap',
  grid: 'standing start',
  caution: 'caution',
  traffic: 'traffic',
  incident: 'incident',
}

/** Returns a row for each lap. `logs` has one for each lap, or is null; `measured` are the laps that count. */
export function lapRows(
  laps: readonly Lap[],
  logs: readonly LapLog[] | null,
  measured: readonly TimedLap[],
  sectors: SectorBests | null,
): readonly LapRow[] {
  const best = measured.toSorted((a, b) => a.time_s - b.time_s)[0]
  return laps.map((lap, i) => {
    const kinds = lapKinds(lap, logs?.[i] ?? null)
    const timeS = isTimedLap(lap) ? lap.time_s : null
    return {
      lap,
      kinds,
      words: wordsOf(lap, kinds),
      timeS,
      gapS: timeS === null || best === undefined ? null : gapOf(timeS, best.time_s),
      isBest: lap === best,
      sectors: (lap.figures?.sectors_s ?? []).flatMap((seconds, sector) => {
        const fastest = sectors?.bests[sector]
        return fastest
          ? [{ seconds, gapS: gapOf(seconds, fastest.seconds), isBest: fastest.lap === lap }]
          : []
      }),
    }
  })
}

/** By whole milliseconds, so that a gap is the difference of the times that are shown. */
function gapOf(seconds: number, bestS: number): number {
  return (lapTimeMs(seconds) - lapTimeMs(bestS)) / 1000
}

function wordsOf(lap: Lap, kinds: readonly LapKind[]): string {
  if (kinds.length > 0) {
    const isOff = lap.reasons.includes('OFF_TRACK') && !lap.reasons.includes('INCIDENT')
    return kinds.map(kind => (kind === 'incident' && isOff ? 'off track' : KIND_WORDS[kind])).join(', ')
  }
  const reason = mainReason(lap.reasons)
  return reason === null ? 'clean' : reasonWords[reason].short
}

export type LapFilter = 'all' | 'complete' | 'clean' | LapKind

const FILTER_LABELS: Readonly<Record<LapFilter, string>> = {
  all: 'All laps',
  complete: 'Complete laps',
  clean: 'Clean laps',
  out: 'Out laps',
  in: 'In laps',
  grid: 'Standing starts',
  caution: 'Under caution',
  traffic: 'In traffic',
  incident: 'With an incident',
}

/** Returns the filters that leave some laps, and not all of them, with the number of laps of each. */
export function filtersOf(
  rows: readonly LapRow[],
): readonly { readonly value: LapFilter; readonly label: string }[] {
  return (['all', 'complete', 'clean', ...LAP_KINDS] as const).flatMap(filter => {
    const count = filterRows(rows, filter).length
    if (filter !== 'all' && (count === 0 || count === rows.length)) return []
    return [{ value: filter, label: `${FILTER_LABELS[filter]} (${count})` }]
  })
}

export function filterRows(rows: readonly LapRow[], filter: LapFilter): readonly LapRow[] {
  if (filter === 'all') return rows
  if (filter === 'complete') return rows.filter(({ timeS }) => timeS !== null)
  if (filter === 'clean') return rows.filter(({ lap }) => lap.is_clean)
  return rows.filter(({ kinds }) => kinds.includes(filter))
}

/** A column of the table; a number is a sector, from 0. */
export type LapColumn = 'lap' | 'time' | 'gap' | 'speed' | 'fuel' | 'kind' | number

export interface Order<Column> {
  readonly by: Column
  readonly isDescending: boolean
}

/** Returns the order after a press on a column: its own, or the other way round. */
export function pressed<Column>(order: Order<Column>, by: Column): Order<Column> {
  return { by, isDescending: order.by === by && !order.isDescending }
}

/** Returns the rows in that order. Rows without a value come last in both directions. */
export function sortRows(rows: readonly LapRow[], { by, isDescending }: Order<LapColumn>): readonly LapRow[] {
  return sorted(rows, row => sortValue(row, by), isDescending)
}

function sortValue({ lap, timeS, sectors, words }: LapRow, by: LapColumn): number | string | null {
  if (by === 'lap') return lap.row_start
  if (by === 'time' || by === 'gap') return timeS
  if (by === 'speed') return lap.figures?.top_speed_mps ?? null
  if (by === 'fuel') return lap.figures?.fuel_used_l ?? null
  if (by === 'kind') return words
  return sectors[by]?.seconds ?? null
}

/** Sorts by a value; rows with the same value stay in their order, and those without one come last. */
export function sorted<Row>(
  rows: readonly Row[],
  valueIn: (row: Row) => number | string | null,
  isDescending: boolean,
): readonly Row[] {
  return rows.toSorted((a, b) => {
    const [x, y] = [valueIn(a), valueIn(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    if (x === y) return 0
    return x < y === isDescending ? 1 : -1
  })
}
