import type { Lap } from '@lapwing/telemetry'
import type { CornerSpread } from '@lapwing/telemetry/stints'
import { useState } from 'react'
import { type Order, pressed, sorted } from './lap-rows.ts'
import { ScrollRegion } from './ScrollRegion.tsx'
import { SortHead } from './SortHead.tsx'

interface CornersTableProps {
  readonly spreads: readonly CornerSpread[]
  /** Returns the lap with that first row, and its name. */
  readonly lapAt: (rowStart: number) => { readonly lap: Lap; readonly name: string } | null
  /** "5 clean laps". */
  readonly basis: string
  readonly onSelect: (lap: Lap) => void
}

type Column = 'corner' | 'best' | 'median' | 'spread' | 'lap'

/** How even each corner is: the time of its best and of its usual lap, and the band of nine laps in ten. */
export function CornersTable({ spreads, lapAt, basis, onSelect }: CornersTableProps) {
  const [order, setOrder] = useState<Order<Column>>({ by: 'corner', isDescending: false })
  const head = { order, onOrder: (by: Column) => setOrder(pressed(order, by)) }
  const widestS = Math.max(...spreads.map(({ slowS, bestS }) => slowS - bestS), 0.001)
  const shown = sorted(spreads, spread => sortValue(spread, order.by), order.isDescending)
  return (
    <>
      <ScrollRegion label="Corners">
        <table className="study-table">
          <caption className="sr-only">Time in each corner over {basis}, in seconds</caption>
          <thead>
            <tr>
              <SortHead by="corner" label="Corner" {...head} />
              <SortHead by="best" label="Best" unit="s" {...head} />
              <SortHead by="median" label="Median" unit="s" {...head} />
              <SortHead by="spread" label="Spread" unit="s" {...head} />
              <td className="study-band-head" aria-hidden="true" />
              <th scope="col">Best lap</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(spread => {
              const best = lapAt(spread.bestRowStart)
              return (
                <tr key={spread.corner.name}>
                  <th scope="row">
                    {spread.corner.name}
                    {spread.corner.knownAs && <span className="study-sub">{spread.corner.knownAs}</span>}
                  </th>
                  <td>{spread.bestS.toFixed(3)}</td>
                  <td>{spread.medianS.toFixed(3)}</td>
                  <td>{(spread.slowS - spread.fastS).toFixed(3)}</td>
                  <td className="study-band" aria-hidden="true">
                    <Band spread={spread} widestS={widestS} />
                  </td>
                  <td>
                    {best && (
                      <button
                        type="button"
                        data-row
                        className="dialog-link"
                        onClick={() => onSelect(best.lap)}
                      >
                        {best.name}
                      </button>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="study-note">
        Over {basis}. Each line begins at the best; its band holds nine of ten laps, and the mark in it is the
        median.
      </p>
    </>
  )
}

function sortValue({ corner, bestS, medianS, fastS, slowS, bestRowStart }: CornerSpread, by: Column): number {
  if (by === 'best') return bestS
  if (by === 'median') return medianS
  if (by === 'spread') return slowS - fastS
  return by === 'lap' ? bestRowStart : corner.startPct
}

interface BandProps {
  readonly spread: CornerSpread
  /** Seconds of the whole width, the same for all corners. */
  readonly widestS: number
}

function Band({ spread: { bestS, fastS, slowS, medianS }, widestS }: BandProps) {
  const at = (seconds: number) => (100 * (seconds - bestS)) / widestS
  return (
    <svg aria-hidden="true" viewBox="0 0 100 12" preserveAspectRatio="none" className="study-band-picture">
      <line x1="0" x2="100" y1="6" y2="6" className="study-band-axis" />
      <rect
        x={at(fastS)}
        width={Math.max(1, at(slowS) - at(fastS))}
        y="2"
        height="8"
        className="study-band-most"
      />
      <rect x={Math.min(99, at(medianS))} width="1" y="0" height="12" className="study-band-median" />
    </svg>
  )
}
