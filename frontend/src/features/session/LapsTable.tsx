import { formatLapTime, type Lap } from '@lapwing/telemetry'
import { drivenBest, type SectorBests } from '@lapwing/telemetry/stints'
import { Star } from 'lucide-react'
import { useState } from 'react'
import { formatDelta } from '#shared/format/delta.ts'
import { formatSpeed } from '#shared/format/speed.ts'
import type { LapNames } from '#shared/laps/lap-names.ts'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { NativeSelect } from '#shared/ui/NativeSelect.tsx'
import { useDrawnRows } from '#shared/ui/use-drawn-rows.ts'
import {
  filterRows,
  filtersOf,
  type LapColumn,
  type LapFilter,
  type LapRow,
  type Order,
  pressed,
  sortRows,
} from './lap-rows.ts'
import { ScrollRegion } from './ScrollRegion.tsx'
import { SortHead } from './SortHead.tsx'

interface LapsTableProps {
  readonly rows: readonly LapRow[]
  readonly names: LapNames
  readonly sectors: SectorBests | null
  /** Whether only clean laps count for the bests. */
  readonly areClean: boolean
  /** What the file lacks. */
  readonly note: string
  readonly selected: Lap | undefined
  readonly onSelect: (lap: Lap) => void
}

/** More rows need another press. */
const MOST_ROWS = 100

/** All laps with their sectors, and the theoretical best below them. A press on a row leads to the lap. */
export function LapsTable(props: LapsTableProps) {
  const { rows, names, sectors, areClean, note, selected, onSelect } = props
  const speed = useStore(speedUnit)
  const [order, setOrder] = useState<Order<LapColumn>>({ by: 'lap', isDescending: false })
  const [wanted, setFilter] = useState<LapFilter>('all')
  const filters = filtersOf(rows)
  const filter = filters.some(({ value }) => value === wanted) ? wanted : 'all'
  const found = sortRows(filterRows(rows, filter), order)
  const { drawn, more, showMore } = useDrawnRows(found, MOST_ROWS)
  const onOrder = (by: LapColumn) => setOrder(pressed(order, by))
  const count = sectors?.bests.length ?? 0
  const hasSpeed = rows.some(({ lap }) => lap.figures?.top_speed_mps != null)
  const hasFuel = rows.some(({ lap }) => lap.figures?.fuel_used_l != null)
  const head = { order, onOrder }

  return (
    <>
      {filters.length > 1 && (
        <div className="study-choice">
          <NativeSelect
            label="Laps shown"
            value={filter}
            onValueChange={value => setFilter(value as LapFilter)}
            options={filters}
          />
        </div>
      )}
      <ScrollRegion label="Laps and sectors">
        <table className="study-table">
          <caption className="sr-only">
            Laps with their sectors, each with what it is behind the best. A star marks the best.
          </caption>
          <thead>
            <tr>
              <SortHead by="lap" label="Lap" {...head} />
              <SortHead by="time" label="Time" {...head} />
              {Array.from({ length: count }, (_, sector) => (
                <SortHead key={sector} by={sector} label={`S${sector + 1}`} {...head} />
              ))}
              {hasSpeed && <SortHead by="speed" label="Top" unit={speed} {...head} />}
              {hasFuel && <SortHead by="fuel" label="Fuel" unit="L" {...head} />}
              <SortHead by="kind" label="Kind" {...head} />
            </tr>
          </thead>
          <tbody>
            {drawn.map(row => (
              <LapLine
                key={row.lap.row_start}
                row={row}
                name={names.nameOf(row.lap)}
                sectors={count}
                topSpeed={
                  hasSpeed &&
                  (row.lap.figures?.top_speed_mps == null
                    ? NONE
                    : formatSpeed(row.lap.figures.top_speed_mps, speed))
                }
                fuel={hasFuel && (row.lap.figures?.fuel_used_l?.toFixed(2) ?? NONE)}
                isSelected={row.lap === selected}
                onSelect={onSelect}
              />
            ))}
          </tbody>
          {sectors && (
            <tfoot>
              <tr>
                <th scope="row">Theoretical best</th>
                <td>{formatLapTime(sectors.theoreticalS)}</td>
                {sectors.bests.map(({ seconds, lap }, i) => (
                  <td key={i}>
                    {seconds.toFixed(3)}
                    <span className="study-sub">{names.nameOf(lap)}</span>
                  </td>
                ))}
                <td colSpan={Number(hasSpeed) + Number(hasFuel) + 1} />
              </tr>
            </tfoot>
          )}
        </table>
      </ScrollRegion>
      {more > 0 && <Button onClick={showMore}>Show {more} more</Button>}
      <p className="study-note">
        {sectors ? theoreticalWords(sectors, areClean, names) : 'This session has no sector times.'} {note}
      </p>
    </>
  )
}

/** Says that nobody drove the theoretical best, unless one lap has all of the best sectors. */
function theoreticalWords({ bests }: SectorBests, areClean: boolean, names: LapNames): string {
  const words = `The theoretical best is the best of each sector over the ${areClean ? 'clean' : 'complete'} laps, put together.`
  const only = drivenBest(bests)
  return only ? `${words} ${names.nameOf(only)} has all of them.` : `${words} It is not a driven lap.`
}

const NONE = '–'

interface LapLineProps {
  readonly row: LapRow
  readonly name: string
  /** Number of sectors of the table; a partial lap has none. */
  readonly sectors: number
  /** False if the table has no such column. */
  readonly topSpeed: string | false
  readonly fuel: string | false
  readonly isSelected: boolean
  readonly onSelect: (lap: Lap) => void
}

function LapLine({ row, name, sectors, topSpeed, fuel, isSelected, onSelect }: LapLineProps) {
  const { lap, timeS, gapS, isBest, words } = row
  return (
    <tr className="study-row">
      <th scope="row">
        <button
          type="button"
          data-row
          aria-current={isSelected || undefined}
          className="dialog-link"
          onClick={() => onSelect(lap)}
        >
          {name}
        </button>
      </th>
      <td>
        {timeS === null ? NONE : <Value text={formatLapTime(timeS) ?? NONE} gapS={gapS} isBest={isBest} />}
      </td>
      {Array.from({ length: sectors }, (_, i) => {
        const sector = row.sectors[i]
        return <td key={i}>{sector ? <Value text={sector.seconds.toFixed(3)} {...sector} /> : NONE}</td>
      })}
      {topSpeed !== false && <td>{topSpeed}</td>}
      {fuel !== false && <td>{fuel}</td>}
      <td className="study-kind">{words}</td>
    </tr>
  )
}

interface ValueProps {
  readonly text: string
  readonly gapS: number | null
  readonly isBest: boolean
}

/** A time, and below it how far it is behind the best. */
function Value({ text, gapS, isBest }: ValueProps) {
  return (
    <>
      {isBest && <Star size={10} role="img" aria-label="Best" className="study-star" />}
      <span className={isBest ? 'study-best' : undefined}>{text}</span>
      {gapS !== null && !isBest && (
        <span className={`study-sub ${gapS < 0 ? 'text-gain' : ''}`}>{formatDelta(gapS)}</span>
      )}
    </>
  )
}
