import { formatLapTime } from '@lapwing/telemetry'
import { Trophy } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { NativeSelect } from '#shared/ui/NativeSelect.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import type { LibraryActions } from './library-actions.ts'
import { type LibraryEntry, momentOf, type ReadEntry } from './library-entry.ts'
import { carsOf, tracksOf } from './list-sessions.ts'
import { newestDriven, type ProgressPoint, progressOf } from './progress.ts'
import { drawProgress } from './progress-chart.ts'

interface ProgressViewProps {
  readonly entries: readonly LibraryEntry[]
  readonly loadChart: LibraryActions['loadChart']
  readonly onOpen: (entry: ReadEntry) => void
}

/** How the driver's clean laps of a track and car changed from session to session. */
export function ProgressView({ entries, loadChart, onOpen }: ProgressViewProps) {
  const [chosen, setChosen] = useState(() => newestDriven(entries))
  const tracks = useMemo(() => tracksOf(entries), [entries])
  const cars = useMemo(() => (chosen ? carsOf(entries, chosen.track) : []), [entries, chosen])
  const progress = useMemo(
    () => (chosen ? progressOf(entries, chosen.track, chosen.car) : null),
    [entries, chosen],
  )
  if (chosen === null || progress === null) {
    return <p className="dialog-none">No file of the library can be read yet.</p>
  }
  const { points, sessions, completeLaps, hours } = progress
  const best = points.findLast(({ isRecord }) => isRecord)
  return (
    <div className="library-scroll">
      <div className="library-filters">
        <NativeSelect
          label="Track"
          value={chosen.track}
          onValueChange={track => setChosen({ track, car: carsOf(entries, track)[0]?.value ?? '' })}
          options={tracks}
        />
        <NativeSelect
          label="Car"
          value={chosen.car}
          onValueChange={car => setChosen({ track: chosen.track, car })}
          options={cars}
        />
      </div>
      <dl className="library-figures">
        <Figure name="Best clean lap" value={best ? (formatLapTime(best.bestS) ?? '–') : '–'} />
        <Figure name="Sessions" value={String(sessions)} />
        <Figure name="Complete laps" value={String(completeLaps)} />
        <Figure name="Driven" value={hours.toFixed(1)} unit="h" />
      </dl>
      {points.length === 0 ? (
        <p className="dialog-none">No clean lap of this track and car yet.</p>
      ) : (
        <>
          <p className="text-xs text-muted">
            Fastest clean lap of each session, and the median of its clean laps (dashed). A ring marks a
            personal best.
          </p>
          <ProgressChart points={points} loadChart={loadChart} onOpen={onOpen} />
          <Points points={points} onOpen={onOpen} />
        </>
      )}
    </div>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly unit?: string
}

function Figure({ name, value, unit }: FigureProps) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-lg font-semibold">
        {value} {unit && <span className="text-xs text-muted">{unit}</span>}
      </dd>
    </div>
  )
}

interface PointsProps {
  readonly points: readonly ProgressPoint[]
  readonly onOpen: (entry: ReadEntry) => void
}

/** A picture of the table below it, which has the same for keyboards and screen readers. */
function ProgressChart({ points, loadChart, onOpen }: PointsProps & Pick<ProgressViewProps, 'loadChart'>) {
  const host = useRef<HTMLDivElement>(null)
  const open = useEffectEvent(onOpen)
  const { part } = useLazyPart(loadChart, true)
  useEffect(() => {
    if (part) return drawProgress(part, host.current!, points, ({ entry }) => open(entry))
  }, [part, points])
  return <div ref={host} aria-hidden="true" className="library-chart" />
}

/** Rows of the table: more of them make the page slow, and the chart has them all. */
const MAX_SHOWN = 200

function Points({ points, onOpen }: PointsProps) {
  return (
    <table className="library-points">
      <caption className="sr-only">Clean laps by session, the newest first</caption>
      <thead>
        <tr className="text-xs text-muted">
          <th scope="col">Session</th>
          <th scope="col">Best</th>
          <th scope="col">Median</th>
          <th scope="col">Spread</th>
          <th scope="col">Clean laps</th>
        </tr>
      </thead>
      <tbody>
        {points
          .toReversed()
          .slice(0, MAX_SHOWN)
          .map(({ entry, bestS, medianS, spreadS, cleanLaps, isRecord }) => (
            <tr key={entry.path}>
              <th scope="row">
                <button
                  type="button"
                  title={entry.path}
                  className="dialog-link"
                  onClick={() => onOpen(entry)}
                >
                  {momentOf(entry)}
                </button>
              </th>
              <td className="font-semibold">
                {isRecord && (
                  <Trophy
                    size={12}
                    role="img"
                    aria-label="Personal best"
                    className="inline-block text-accent"
                  />
                )}{' '}
                {formatLapTime(bestS)}
              </td>
              <td>{formatLapTime(medianS)}</td>
              <td>{spreadS === null ? '–' : `${spreadS.toFixed(3)} s`}</td>
              <td>{cleanLaps}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
