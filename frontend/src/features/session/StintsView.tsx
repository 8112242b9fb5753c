import { formatLapTime } from '@lapwing/telemetry'
import { type Stint, stintChanges } from '@lapwing/telemetry/stints'
import type { LapNames } from '#shared/laps/lap-names.ts'
import { speedUnit, temperatureUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { ScrollRegion } from './ScrollRegion.tsx'
import { changeWords, stintFigures, type Units } from './stint-words.ts'

interface StintsViewProps {
  readonly stints: readonly Stint[]
  readonly names: LapNames
  /** What the file says of the set-up, and what is not known. */
  readonly note: string
}

/** The stints of the session, and what changed from one to the next. */
export function StintsView({ stints, names, note }: StintsViewProps) {
  const units = { speed: useStore(speedUnit), temperature: useStore(temperatureUnit) }
  return (
    <ScrollRegion label="Stints" className="study-stints">
      {stints.slice(0, MOST_SHOWN).map((stint, i) => (
        <StintPart
          key={stint.number}
          stint={stint}
          before={stints[i - 1] ?? null}
          names={names}
          units={units}
        />
      ))}
      {stints.length > MOST_SHOWN && <p className="study-note">{stints.length - MOST_SHOWN} more stints.</p>}
      {note && <p className="study-note">{note}</p>}
    </ScrollRegion>
  )
}

/** A day of driving has fewer. */
const MOST_SHOWN = 100

interface StintPartProps {
  readonly stint: Stint
  /** Null for the first. */
  readonly before: Stint | null
  readonly names: LapNames
  readonly units: Units
}

function StintPart({ stint, before, names, units }: StintPartProps) {
  const { number, laps, measured, pace } = stint
  const changes = before === null ? [] : stintChanges(before, stint)
  const session = names.sessionOf(laps[0]!)
  const [first, last] = [laps[0]!.lap, laps.at(-1)!.lap]
  const paceFigures: readonly (readonly [string, string])[] =
    pace === null
      ? []
      : [
          ['Best', formatLapTime(pace.bestS) ?? '–'],
          ['Median', formatLapTime(pace.medianS) ?? '–'],
          ...(pace.spreadS === null ? [] : [['Spread', `${pace.spreadS.toFixed(3)} s`] as const]),
        ]
  return (
    <article className="study-stint" aria-label={`Stint ${number}`}>
      <h3>
        Stint {number}
        <span className="study-stint-laps">
          {[session, first === last ? `lap ${first}` : `laps ${first} to ${last}`, countWords(measured)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </h3>
      {changes.length > 0 && (
        <dl className="study-changes" aria-label={`Changed since stint ${before!.number}`}>
          {changes.map(change => {
            const [name, words] = changeWords(change, units)
            return (
              <div key={change.of}>
                <dt>{name}</dt>
                <dd>{words}</dd>
              </div>
            )
          })}
        </dl>
      )}
      <dl className="study-facts">
        {[...paceFigures, ...stintFigures(stint, units)].map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

function countWords({ laps, areClean }: Stint['measured']): string {
  if (laps.length === 0) return 'no complete lap'
  return `${laps.length} ${areClean ? 'clean' : 'complete'}`
}
