import type { SessionKind } from '@lapwing/telemetry'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { kindWords } from '#shared/laps/lap-facts.ts'
import { bestLap, dayOf, drivenMs, isRead, type LibraryEntry } from './library-entry.ts'

/** Search, filters and order of the list; '' means all. */
export interface ListQuery {
  readonly search: string
  /** Key of `tracksOf`. */
  readonly track: string
  /** Key of `carsOf`. */
  readonly car: string
  readonly kind: SessionKind | ''
  /** Days back from now. */
  readonly days: number | null
  readonly sort: SortOrder
  readonly group: Grouping
}

export type SortOrder = 'newest' | 'oldest' | 'fastest' | 'laps'
export type Grouping = 'day' | 'track' | 'none'

export const ALL_SESSIONS: ListQuery = {
  search: '',
  track: '',
  car: '',
  kind: '',
  days: null,
  sort: 'newest',
  group: 'day',
}

export interface SessionGroup {
  /** Empty if the list is not grouped. */
  readonly title: string
  readonly entries: readonly LibraryEntry[]
}

const DAY_MS = 24 * 60 * 60_000
const UNREADABLE = 'Files that cannot be read'

/** Returns the entries that match, sorted, in groups. Groups are in the order of their first entry. */
export function listSessions(
  entries: readonly LibraryEntry[],
  query: ListQuery,
  nowMs: number,
): SessionGroup[] {
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean)
  const sinceMs = query.days === null ? null : nowMs - query.days * DAY_MS
  const shown = entries.filter(entry => {
    if (query.track !== '' && trackKey(entry) !== query.track) return false
    if (query.car !== '' && carKey(entry) !== query.car) return false
    if (query.kind !== '' && !entry.summary?.kinds.includes(query.kind)) return false
    if (sinceMs !== null && drivenMs(entry) < sinceMs) return false
    return words.every(word => searchText(entry).includes(word))
  })
  const groups = new Map<string, LibraryEntry[]>()
  for (const entry of shown.sort(COMPARE[query.sort])) {
    const title = groupTitle(entry, query.group)
    const group = groups.get(title)
    if (group) group.push(entry)
    else groups.set(title, [entry])
  }
  return [...groups].map(([title, members]) => ({ title, entries: members }))
}

const newest = (a: LibraryEntry, b: LibraryEntry) => drivenMs(b) - drivenMs(a)

/** By best time or number of laps; files without one are last. Equal ones: the newest first. */
const COMPARE: Readonly<Record<SortOrder, (a: LibraryEntry, b: LibraryEntry) => number>> = {
  newest,
  oldest: (a, b) => -newest(a, b),
  fastest: (a, b) => byNumber(bestS(a), bestS(b)) || newest(a, b),
  laps: (a, b) => timedLaps(b) - timedLaps(a) || newest(a, b),
}

/** Infinite times differ by NaN, which would end the sorting. */
function byNumber(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A sort of 5,000 entries asks for the best of each some 25 times. */
const bests = new WeakMap<LibraryEntry, number>()

function bestS(entry: LibraryEntry): number {
  let seconds = bests.get(entry)
  if (seconds === undefined) {
    seconds = (entry.summary && bestLap(entry.summary)?.time_s) ?? Number.POSITIVE_INFINITY
    bests.set(entry, seconds)
  }
  return seconds
}

function timedLaps({ summary }: LibraryEntry): number {
  return summary?.laps.filter(isTimedLap).length ?? 0
}

function groupTitle(entry: LibraryEntry, group: Grouping): string {
  if (group === 'none') return ''
  if (group === 'day') return dayOf(entry)
  return entry.summary?.meta.track_label ?? UNREADABLE
}

const texts = new WeakMap<LibraryEntry, string>()

/** Returns what the search compares with: names, kinds, the day and the file's path. It is built once. */
export function searchText(entry: LibraryEntry): string {
  let text = texts.get(entry)
  if (text === undefined) {
    const { meta, kinds } = entry.summary ?? { meta: null, kinds: [] }
    const parts = [meta?.track_label, meta?.car_label, ...kinds.map(kindName), dayOf(entry), entry.path]
    text = parts.filter(Boolean).join(' ').toLowerCase()
    texts.set(entry, text)
  }
  return text
}

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Returns the tracks of the library with their layouts, by name. */
export function tracksOf(entries: readonly LibraryEntry[]): Choice[] {
  return choicesOf(entries, trackKey, ({ track_label }) => track_label)
}

/** Returns the cars that were driven on a track, or on all, by name. */
export function carsOf(entries: readonly LibraryEntry[], track: string): Choice[] {
  const driven = track === '' ? entries : entries.filter(entry => trackKey(entry) === track)
  return choicesOf(driven, carKey, ({ car_label }) => car_label)
}

type Meta = NonNullable<LibraryEntry['summary']>['meta']

function choicesOf(
  entries: readonly LibraryEntry[],
  keyOf: (entry: LibraryEntry) => string | null,
  labelOf: (meta: Meta) => string,
): Choice[] {
  const labels = new Map<string, string>()
  for (const entry of entries) {
    if (isRead(entry)) labels.set(keyOf(entry)!, labelOf(entry.summary.meta))
  }
  return [...labels]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label))
}

export function trackKey({ summary }: LibraryEntry): string | null {
  return summary && `${summary.meta.track_slug}/${summary.meta.layout}`
}

export function carKey({ summary }: LibraryEntry): string | null {
  return summary?.meta.car_slug ?? null
}

export function kindName(kind: SessionKind): string {
  return kindWords({ session_kind: kind }) ?? kind
}

/** Returns "14 laps, 9 clean"; "No complete lap" without one. */
export function lapCounts({ summary }: LibraryEntry): string {
  const timed = summary?.laps.filter(isTimedLap) ?? []
  if (timed.length === 0) return 'No complete lap'
  const clean = timed.filter(({ is_clean }) => is_clean).length
  return `${timed.length} ${timed.length === 1 ? 'lap' : 'laps'}, ${clean} clean`
}
