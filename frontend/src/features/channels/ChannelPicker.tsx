import type { Variable } from '@lapwing/telemetry'
import { X } from 'lucide-react'
import {
  type KeyboardEvent,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { NativeSelect } from '#shared/ui/NativeSelect.tsx'
import { rowAfterKey } from '#shared/ui/row-after-key.ts'
import { SearchField } from '#shared/ui/SearchField.tsx'
import { type ChannelChoice, groupChannels } from './channel-groups.ts'
import { combine, labelOf } from './channel-term.ts'
import { termUnit, whyNot } from './channel-values.ts'
import { CHART_KINDS, type Chart, type ChartKind, channelLimits, SCATTERS } from './chart-pages.ts'
import { drawable } from './drawn-lines.ts'
import type { UnitChoices } from './drawn-unit.ts'

interface ChannelPickerProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly variables: ReadonlyMap<string, Variable>
  readonly choices: UnitChoices
  /** The chart to change; null for a new one. */
  readonly chart: Chart | null
  readonly onDone: (chart: Chart) => void
}

const KIND_NAMES: Readonly<Record<ChartKind, string>> = {
  lines: 'Over the lap, in one chart',
  each: 'Over the lap, a small chart each',
  scatter: 'Scatter: the second over the first',
  histogram: 'Histogram',
}

/** A dialog in which a driver picks the channels of a chart from all variables of the file. */
export function ChannelPicker({ open, onOpenChange, variables, choices, chart, onDone }: ChannelPickerProps) {
  const [kind, setKind] = useState<ChartKind>(chart?.kind ?? 'lines')
  const [channels, setChannels] = useState<readonly string[]>(chart?.channels ?? [])
  const { least, most } = channelLimits(kind)
  const { reasons } = useMemo(
    () => drawable({ kind, channels }, variables, choices),
    [kind, channels, variables, choices],
  )
  const canDraw = channels.length >= least && reasons.length === 0

  function changeKind(next: ChartKind) {
    setKind(next)
    setChannels(channels.slice(0, channelLimits(next).most))
  }

  function toggle({ terms }: Pick<ChannelChoice, 'terms'>) {
    if (terms.every(term => channels.includes(term))) {
      return setChannels(channels.filter(channel => !terms.includes(channel)))
    }
    const added = terms.filter(term => !channels.includes(term))
    // Wheels and arrays are compared best side by side.
    const isSeveral = terms.length > 1 && channels.length === 0 && kind === 'lines'
    if (isSeveral) setKind('each')
    const all = [...channels, ...added]
    // The last ones that fit: another channel of a histogram replaces the first.
    setChannels(all.slice(Math.max(0, all.length - channelLimits(isSeveral ? 'each' : kind).most)))
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={chart ? 'Change the chart' : 'Add a chart'}
      width="channels-dialog"
      ownScroll
      fromTop
    >
      <div className="channels-picker">
        <NativeSelect
          label="Kind of chart"
          value={kind}
          onValueChange={value => changeKind(value as ChartKind)}
          options={CHART_KINDS.map(each => ({ value: each, label: KIND_NAMES[each] }))}
        />
        {kind === 'scatter' && (
          <div className="channels-actions">
            {SCATTERS.filter(pair => pair.channels.every(name => variables.has(name))).map(pair => (
              <Button key={pair.name} onClick={() => setChannels(pair.channels)}>
                {pair.name}
              </Button>
            ))}
          </div>
        )}
        <Chosen
          channels={channels}
          variables={variables}
          choices={choices}
          canCombine={kind !== 'scatter'}
          onChange={setChannels}
        />
        <ChannelList variables={variables} choices={choices} channels={channels} onToggle={toggle} />
        <p role="status" className="channels-status">
          {reasons[0] ??
            (channels.length < least
              ? least === 2
                ? 'Choose two channels.'
                : 'Choose a channel.'
              : channels.length === most && most > 2
                ? `A chart has at most ${most} channels. A further one replaces the first.`
                : '')}
        </p>
        <Button variant="primary" size="wide" isBlocked={!canDraw} onClick={() => onDone({ kind, channels })}>
          {chart ? 'Change the chart' : 'Add the chart'}
        </Button>
      </div>
    </Dialog>
  )
}

interface ChosenProps extends Pick<ChannelPickerProps, 'variables' | 'choices'> {
  readonly channels: readonly string[]
  /** Whether two channels can become their sum or difference. */
  readonly canCombine: boolean
  readonly onChange: (channels: readonly string[]) => void
}

/** The chosen channels. Two of them can become their sum or difference. */
function Chosen({ channels, variables, choices, canCombine, onChange }: ChosenProps) {
  const [first, second] = channels
  const sums =
    canCombine && channels.length === 2
      ? (['+', '-'] as const).flatMap(sign => combine(first!, sign, second!) ?? [])
      : []
  const refusal = sums[0] ? whyNot(sums[0], variables, choices) : null
  return (
    <>
      <ul aria-label="Chosen channels" className="channels-chosen">
        {channels.map(channel => (
          <li key={channel} className="channels-chip">
            {labelOf(channel)}
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Without ${labelOf(channel)}`}
              onClick={() => onChange(channels.filter(other => other !== channel))}
            >
              <X size={12} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      {sums.length > 0 && (
        <div className="channels-actions">
          {sums.map(sum => (
            <Button key={sum} isBlocked={refusal !== null} onClick={() => onChange([sum])}>
              {labelOf(sum)}
            </Button>
          ))}
          {refusal && <p className="text-muted text-xs">{refusal}</p>}
        </div>
      )}
    </>
  )
}

interface ChannelListProps extends Pick<ChannelPickerProps, 'variables' | 'choices'> {
  readonly channels: readonly string[]
  readonly onToggle: (choice: ChannelChoice) => void
}

/**
 * All channels of the file in groups, below a search. The focus stays in the search, and arrows move through the list: the
 * combobox of the ARIA Authoring Practices with a list that is always open.
 */
function ChannelList({ variables, choices, channels, onToggle }: ChannelListProps) {
  const id = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  // Deferred, so that typing does not wait for hundreds of rows.
  const shownQuery = useDeferredValue(query)
  const groups = useMemo(() => groupChannels([...variables.values()], shownQuery), [variables, shownQuery])
  const rows = useMemo(() => groups.flatMap(({ choices }) => choices), [groups])
  const at = Math.min(active, rows.length - 1)

  useLayoutEffect(() => {
    list.current!.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  function onKeyDown(event: KeyboardEvent) {
    // Home and End move in the search.
    const next = /^(?:Home|End)$/.test(event.key) ? null : rowAfterKey(event.key, at, rows.length, 8)
    if (next !== null) setActive(next)
    else if (event.key === 'Enter' && rows[at]) onToggle(rows[at])
    else return
    event.preventDefault()
  }

  let row = 0
  return (
    <>
      <SearchField
        role="combobox"
        aria-label="Search channels"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={rows[at] ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        placeholder={`Search ${variables.size} channels`}
        autoComplete="off"
        spellCheck="false"
        value={query}
        onChange={event => {
          setQuery(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the focus and its keys stay on the search */}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Channels of the file"
        aria-multiselectable="true"
        // The search has the focus, also for a press on a row.
        tabIndex={-1}
        onMouseDown={event => event.preventDefault()}
        onClick={event => {
          const option = (event.target as Element).closest<HTMLElement>('[data-row]')
          if (!option) return
          setActive(Number(option.dataset.row))
          onToggle(rows[Number(option.dataset.row)]!)
        }}
        className="channels-list"
      >
        {groups.map(group => (
          // biome-ignore lint/a11y/useSemanticElements: a list box may hold groups, and no field sets
          <div key={group.title} role="group" aria-label={group.title}>
            <p aria-hidden="true" className="channels-group">
              {group.title}
            </p>
            {group.choices.map(choice => {
              const place = row++
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: reached through aria-activedescendant
                <div
                  key={choice.name}
                  id={`${id}-${place}`}
                  role="option"
                  aria-selected={choice.terms.every(term => channels.includes(term))}
                  data-row={place}
                  data-active={place === at}
                  className="channels-option"
                >
                  <span className="channels-name">{choice.name}</span>
                  <span className="channels-unit">{termUnit(choice.terms[0]!, variables, choices)}</span>
                  <span className="channels-about">{choice.description}</span>
                </div>
              )
            })}
          </div>
        ))}
        {rows.length === 0 && <p className="channels-none">No channel matches.</p>}
      </div>
    </>
  )
}
