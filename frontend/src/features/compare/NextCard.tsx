import type { Lap } from '@lapwing/telemetry'
import { clsx } from 'clsx'
import { lapNames } from '#shared/laps/lap-names.ts'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { adviceWords, didWords, gainWords } from './advice-sentence.ts'
import type { LapAdvice } from './find-advice.ts'

interface NextCardProps {
  /** Undefined before it is known, null if it failed. */
  readonly advice: readonly LapAdvice[] | null | undefined
  readonly laps: readonly Lap[]
  /** Name of the chosen reference. */
  readonly reference: string
  /** The advice whose proof the views show; null if they show none. */
  readonly proven: LapAdvice | null
  /** The name of the lap that the views show in place of the reference; null if they show the reference. */
  readonly shownInstead: string | null
  /** Shows the proof of an advice, or the whole lap against the reference (null). */
  readonly onProve: (advice: LapAdvice | null) => void
}

/** Says in at most three sentences what would save time. Each opens its proof: the place, with the lap that did it. */
export function NextCard({ advice, laps, reference, proven, shownInstead, onProve }: NextCardProps) {
  const unit = useStore(speedUnit)
  const { sessionOf } = lapNames(laps)
  return (
    <Card title="What to do next" className="mb-3">
      {/* Room for three sentences of two lines, so that nothing moves when they come. */}
      <div className="min-h-[7lh] text-xs leading-snug pointer-coarse:min-h-[8.5lh]">
        {advice === undefined ? (
          <p className="mt-1 text-muted">Comparing your laps…</p>
        ) : advice === null ? (
          <p className="mt-1 text-warning">
            This could not be computed. Load the page again to try once more.
          </p>
        ) : advice.length === 0 ? (
          <p className="mt-1 text-muted">The traces show no single change that would save 0.03 s or more.</p>
        ) : (
          <ol className="-mx-1.5 mt-0.5">
            {advice.map(each => (
              <li key={`${each.action.kind} ${each.fromPct}`}>
                <button
                  type="button"
                  aria-pressed={each === proven}
                  onClick={() => onProve(each === proven ? null : each)}
                  className={clsx(
                    'min-h-6 w-full cursor-pointer rounded-control px-1.5 py-0.5 text-left pointer-coarse:min-h-11',
                    each === proven
                      ? 'bg-accent/10 shadow-[inset_2px_0_var(--accent)] in-data-[theme=light]:bg-accent/4'
                      : 'hover:bg-raised/50',
                  )}
                >
                  <span className="font-medium">{adviceWords(each, unit)}: </span>
                  <span className="whitespace-nowrap font-semibold tabular-nums">
                    {gainWords(each.gainMs)}.
                  </span>{' '}
                  <span className="text-muted">{didWords(each, reference, sessionOf)}</span>
                </button>
              </li>
            ))}
          </ol>
        )}
      </div>
      {shownInstead !== null && (
        <div className="mt-1 flex items-center gap-2 text-xs leading-snug">
          <p className="min-w-0 flex-1 text-muted">
            All views show {shownInstead} in place of {reference}.
          </p>
          <Button onClick={() => onProve(null)}>Show {reference}</Button>
        </div>
      )}
    </Card>
  )
}
