import type { Lap } from '@lapwing/telemetry'
import { useMemo } from 'react'
import { type LapNames, lapNames } from '#shared/laps/lap-names.ts'
import { mainReason, reasonSentences, reasonWords } from '#shared/laps/reason-words.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { Select } from '#shared/ui/Select.tsx'
import { Switch } from '#shared/ui/Switch.tsx'
import { LapList } from './LapList.tsx'
import { lapBars } from './lap-bars.ts'
import { hiddenLapsText, MOST_LAPS, withSelected } from './lap-order.ts'
import type { LapSelection } from './use-lap-selection.ts'

interface LapsCardProps {
  readonly laps: readonly Lap[]
  readonly selection: LapSelection
  /** Opens all laps side by side. */
  readonly onSession: () => void
}

/** The laps of the session: which are complete, their times, and which one is selected. */
export function LapsCard({ laps, selection, onSession }: LapsCardProps) {
  const { visible, selected, select, validOnly, setValidOnly } = selection
  const bars = useMemo(() => lapBars(laps), [laps])
  const names = useMemo(() => lapNames(laps), [laps])
  const hidden = validOnly ? hiddenLapsText(laps) : null
  const unverifiable = visible.length > 0 && visible.every(lap => lap.reasons.includes('UNVERIFIABLE'))
  const why = selected
    ? reasonSentences(selected.reasons).filter(text => text !== unverified || !unverifiable)
    : []

  return (
    <Card
      title="Laps"
      aside={
        <>
          <Button className="-my-1 mr-auto" onClick={onSession}>
            Session
          </Button>
          <Switch label="Valid Laps only" checked={validOnly} onCheckedChange={setValidOnly} />
        </>
      }
    >
      <div className="mt-2">
        <Select
          label="Lap"
          value={selected ? String(selected.row_start) : ''}
          onValueChange={value => {
            const lap = visible.find(({ row_start }) => String(row_start) === value)
            if (lap) select(lap)
          }}
          options={withSelected(visible.slice(0, MOST_LAPS), selected).map(lap => ({
            value: String(lap.row_start),
            label: lapLabel(lap, names),
          }))}
        />
      </div>
      <LapList laps={visible} names={names} bars={bars} selected={selected} onSelect={select} />
      <div className="space-y-1 px-2 text-xs text-muted empty:hidden">
        {selected && why.length > 0 && (
          <p>
            <span className="font-medium text-text">{names.nameOf(selected)}.</span> {why.join('. ')}.
          </p>
        )}
        {hidden && <p>{hidden}</p>}
        {unverifiable && (
          <p>This file lacks incidents, track limits or positions, so no lap can be called clean.</p>
        )}
      </div>
    </Card>
  )
}

const unverified = reasonWords.UNVERIFIABLE.sentence

/** "Lap 5 · 0:51.088", or "Lap 1 (partial): out lap". */
function lapLabel(lap: Lap, { nameOf }: LapNames): string {
  if (lap.is_completed) return [nameOf(lap), lap.time_fmt].filter(Boolean).join(' · ')
  const reason = mainReason(lap.reasons)
  return `${nameOf(lap)} (partial)${reason ? `: ${reasonWords[reason].short}` : ''}`
}
