import type { LapSummary, SessionKind } from '@lapwing/telemetry'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ListFilter } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import { formatCount } from '#shared/format/count.ts'
import { Button } from '#shared/ui/Button.tsx'
import { NativeSelect } from '#shared/ui/NativeSelect.tsx'
import { rowAfterKey } from '#shared/ui/row-after-key.ts'
import { SearchField } from '#shared/ui/SearchField.tsx'
import type { LibraryActions } from './library-actions.ts'
import { isRead, type LibraryEntry, type ReadEntry } from './library-entry.ts'
import {
  ALL_SESSIONS,
  carsOf,
  type Grouping,
  kindName,
  type ListQuery,
  listSessions,
  type SortOrder,
  tracksOf,
} from './list-sessions.ts'
import { SessionRow } from './SessionRow.tsx'

interface SessionListProps {
  readonly entries: readonly LibraryEntry[]
  readonly actions: Pick<LibraryActions, 'canBeReference'>
  readonly onOpen: (entry: LibraryEntry) => void
  readonly onReference: (entry: ReadEntry, lap: LapSummary) => void
}

type Row =
  | { readonly kind: 'group'; readonly title: string; readonly count: number }
  | { readonly kind: 'session'; readonly entry: LibraryEntry }

/** The sessions by the driver's filters. Only rows in view are in the document. */
export function SessionList({ entries, actions, onOpen, onReference }: SessionListProps) {
  const [query, setQuery] = useState(ALL_SESSIONS)
  const change = (part: Partial<ListQuery>) => setQuery(before => ({ ...before, ...part }))
  // Deferred, so that typing does not wait for thousands of rows.
  const shownQuery = useDeferredValue(query)
  const shownEntries = useDeferredValue(entries)
  const rows = useMemo(() => rowsOf(shownEntries, shownQuery), [shownEntries, shownQuery])
  const sessions = useMemo(() => rows.flatMap((row, at) => (row.kind === 'session' ? [at] : [])), [rows])
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: at => (rows[at]!.kind === 'group' ? 34 : 60),
    getItemKey: at => keyOf(rows[at]!),
    overscan: 6,
  })

  const toggle = (path: string) => {
    const next = new Set(expanded)
    if (!next.delete(path)) next.add(path)
    setExpanded(next)
  }
  const focusRow = (at: number) => {
    const row = rows[at]
    if (row?.kind !== 'session') return
    setActive(row.entry.path)
    virtual.scrollToIndex(at)
    // The row is in the document in the next frame, if it was not before.
    requestAnimationFrame(() => {
      list.current
        ?.querySelector<HTMLElement>(`[data-index="${at}"] [data-row]`)
        ?.focus({ preventScroll: true })
    })
  }
  const hear = (event: KeyboardEvent) => {
    const item = event.target instanceof Element ? event.target.closest('[data-index]') : null
    const at = Number(item?.getAttribute('data-index') ?? -1)
    const row = rows[at]
    if (row?.kind !== 'session') return
    const place = sessions.indexOf(at)
    const next = rowAfterKey(event.key, place, sessions.length, 8)
    if (next !== null) {
      event.preventDefault()
      focusRow(sessions[next]!)
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      if (expanded.has(row.entry.path) === (event.key === 'ArrowLeft')) toggle(row.entry.path)
    }
  }
  const firstRow = rows[sessions[0] ?? -1]
  const hasActive = sessions.some(at => keyOf(rows[at]!) === active)
  const tabStop = hasActive ? active : firstRow ? keyOf(firstRow) : null

  return (
    <>
      <Filters entries={entries} query={query} onChange={change} />
      {rows.length === 0 && (
        <p role="status" className="dialog-none">
          No session matches. Change the search or a filter.
        </p>
      )}
      <div ref={list} className="library-list">
        <ul
          aria-label="Sessions"
          onKeyDown={hear}
          className="library-rows"
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index]!
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                {row.kind === 'group' ? (
                  <h3 className="library-group">
                    {row.title} <span className="text-muted">{formatCount(row.count)}</span>
                  </h3>
                ) : (
                  <SessionRow
                    entry={row.entry}
                    isTabStop={row.entry.path === tabStop}
                    isExpanded={expanded.has(row.entry.path)}
                    onExpand={() => toggle(row.entry.path)}
                    onOpen={() => onOpen(row.entry)}
                    onReference={referenceOf(row.entry)}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )

  function referenceOf(entry: LibraryEntry): ((lap: LapSummary) => void) | null {
    return isRead(entry) && actions.canBeReference(entry) ? lap => onReference(entry, lap) : null
  }
}

function keyOf(row: Row): string {
  return row.kind === 'group' ? `group ${row.title}` : row.entry.path
}

function rowsOf(entries: readonly LibraryEntry[], query: ListQuery): Row[] {
  return listSessions(entries, query, Date.now()).flatMap(({ title, entries: members }): Row[] => [
    ...(title === '' ? [] : [{ kind: 'group' as const, title, count: members.length }]),
    ...members.map(entry => ({ kind: 'session' as const, entry })),
  ])
}

interface FiltersProps {
  readonly entries: readonly LibraryEntry[]
  readonly query: ListQuery
  readonly onChange: (part: Partial<ListQuery>) => void
}

function Filters({ entries, query, onChange }: FiltersProps) {
  const tracks = useMemo(() => tracksOf(entries), [entries])
  const cars = useMemo(() => carsOf(entries, query.track), [entries, query.track])
  const kinds = useMemo(() => [...new Set(entries.flatMap(({ summary }) => summary?.kinds ?? []))], [entries])
  const [isOpen, setOpen] = useState(false)
  return (
    <search className="library-filters" data-open={isOpen}>
      <SearchField
        aria-label="Search sessions"
        placeholder="Search"
        value={query.search}
        onChange={event => onChange({ search: event.target.value })}
      />
      <div className="library-more">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ListFilter size={16} aria-hidden />
          Filters
        </Button>
      </div>
      <NativeSelect
        label="Track"
        value={query.track}
        onValueChange={track => onChange({ track, car: '' })}
        options={[{ value: '', label: 'All tracks' }, ...tracks]}
      />
      <NativeSelect
        label="Car"
        value={query.car}
        onValueChange={car => onChange({ car })}
        options={[{ value: '', label: 'All cars' }, ...cars]}
      />
      <NativeSelect
        label="Session type"
        value={query.kind}
        onValueChange={kind => onChange({ kind: kind as SessionKind | '' })}
        options={[
          { value: '', label: 'All types' },
          ...kinds.map(kind => ({ value: kind, label: kindName(kind) })),
        ]}
      />
      <NativeSelect
        label="Date"
        value={String(query.days ?? '')}
        onValueChange={days => onChange({ days: days === '' ? null : Number(days) })}
        options={DATES}
      />
      <NativeSelect
        label="Order"
        value={query.sort}
        onValueChange={sort => onChange({ sort: sort as SortOrder })}
        options={ORDERS}
      />
      <NativeSelect
        label="Groups"
        value={query.group}
        onValueChange={group => onChange({ group: group as Grouping })}
        options={GROUPS}
      />
    </search>
  )
}

const DATES = [
  { value: '', label: 'Any date' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '365', label: 'Last 12 months' },
]
const ORDERS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'fastest', label: 'Fastest lap' },
  { value: 'laps', label: 'Most laps' },
]
const GROUPS = [
  { value: 'day', label: 'By day' },
  { value: 'track', label: 'By track' },
  { value: 'none', label: 'No groups' },
]
