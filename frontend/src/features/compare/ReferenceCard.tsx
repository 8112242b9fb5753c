import type { Lap } from '@lapwing/telemetry'
import { LoaderCircle, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatLapTimeMs } from '#shared/format/lap-time.ts'
import { lapNames } from '#shared/laps/lap-names.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { Select } from '#shared/ui/Select.tsx'
import { Switch } from '#shared/ui/Switch.tsx'
import type { CompareStore, ExternalLap, FindLap } from './compare-store.ts'
import { IDEAL_LAP, type IdealState, type PartOfLap } from './ideal-state.ts'
import { LateIdealParts } from './LateIdealParts.tsx'
import { chosenReference, sessionReferences } from './session-references.ts'

interface ReferenceCardProps {
  readonly compare: CompareStore
  readonly laps: readonly Lap[]
  readonly lap: Lap
  /** The ideal lap of the session. */
  readonly ideal: IdealState
  /** Opens the lap of a part of it. */
  readonly onOpenPart: (part: PartOfLap) => void
  /** Why there is a reference but no comparison. */
  readonly note: string | null
  /** Finds a lap about a second faster than the driver's own; absent without a board. */
  readonly findAhead?: FindLap | undefined
  /** Finds the best lap of the driver's library; absent without a library. */
  readonly findInLibrary?: FindLap | undefined
  /** Finds the driver's own best lap; absent without a board. */
  readonly findBest?: FindLap | undefined
}

/** Chooses the reference of the selected lap: another lap of the session, or a lap of a board. */
export function ReferenceCard({
  compare,
  laps,
  lap,
  ideal,
  onOpenPart,
  note,
  findAhead,
  findBest,
  findInLibrary,
}: ReferenceCardProps) {
  const state = useStore(compare)
  const { source, external, loading, isCatching, problem } = state
  const content = useRef<HTMLDivElement>(null)
  const isBusy = isCatching || loading !== null
  const [pressed, setPressed] = useState<string | null>(null)
  const finds = [
    { label: 'My best', find: findBest, nothing: 'You have no lap on this leaderboard yet.' },
    {
      label: 'My best in the library',
      find: findInLibrary,
      nothing: 'Your library has no complete lap of this track and car.',
    },
    { label: 'Chase a lap 1 s faster', find: findAhead, nothing: 'There is no lap ahead of yours to catch.' },
  ]

  return (
    <Card
      title="Reference Laps"
      aside={
        <Switch
          label="From Session"
          checked={source === 'session'}
          onCheckedChange={isSession => compare.chooseSource(isSession ? 'session' : 'external')}
        />
      }
    >
      <div ref={content} tabIndex={-1} className="mt-2 space-y-2 outline-none">
        {source === 'session' ? (
          <SessionReference
            compare={compare}
            laps={laps}
            lap={lap}
            chosenRow={state.sessionRow}
            ideal={ideal}
            onOpenPart={onOpenPart}
          />
        ) : external ? (
          <ExternalReference
            external={external}
            onClear={() => {
              compare.clear()
              // The button is removed with the lap; the focus must stay in the card.
              content.current?.focus({ preventScroll: true })
            }}
          />
        ) : (
          <p className="text-muted">
            No lap is loaded. “Use as Reference” in the full leaderboard takes any lap of this track and car.
          </p>
        )}
        {note !== null && <p className="text-warning">{note}</p>}
        {problem !== null && <Notice message={problem} onDismiss={compare.dismissProblem} />}
        {finds.map(
          ({ label, find, nothing }) =>
            find && (
              <Button
                key={label}
                size="wide"
                isBlocked={isBusy}
                onClick={() => {
                  setPressed(label)
                  void compare.catchLap(find, nothing)
                }}
                className="aria-disabled:cursor-progress aria-disabled:opacity-60"
              >
                {isBusy && label === pressed && (
                  <LoaderCircle size={14} aria-hidden className="animate-spin" />
                )}
                {isBusy && label === pressed ? 'Loading reference lap…' : label}
              </Button>
            ),
        )}
      </div>
    </Card>
  )
}

/** The purple that marks the reference everywhere. */
const dot = <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-reference" />

interface SessionReferenceProps
  extends Pick<ReferenceCardProps, 'compare' | 'laps' | 'lap' | 'ideal' | 'onOpenPart'> {
  readonly chosenRow: number | 'ideal' | null
}

function SessionReference({ compare, laps, lap, chosenRow, ideal, onOpenPart }: SessionReferenceProps) {
  const references = sessionReferences(laps, lap)
  const { nameOf } = lapNames(laps)
  const chosen = chosenReference(references, chosenRow)
  if (!chosen) return <p className="text-muted">This session has no other complete lap.</p>
  const isIdeal = chosenRow === 'ideal' && ideal.kind === 'found'
  const options = references.map(reference => ({
    value: String(reference.row_start),
    label: `${nameOf(reference)} · ${reference.time_fmt}`,
  }))
  if (ideal.kind === 'found') {
    options.unshift({ value: 'ideal', label: `${IDEAL_LAP} · ${formatLapTimeMs(ideal.track.timeMs)}` })
  }
  return (
    <>
      <Select
        label="Reference lap"
        mark={dot}
        value={isIdeal ? 'ideal' : String(chosen.row_start)}
        onValueChange={value => compare.chooseSessionLap(value === 'ideal' ? value : Number(value))}
        options={options}
      />
      {isIdeal && (
        <LateIdealParts parts={ideal.parts} laps={laps} lengthM={ideal.track.lengthM} onOpen={onOpenPart} />
      )}
      {ideal.kind === 'none' && <p className="text-muted text-xs leading-snug">{ideal.why}</p>}
    </>
  )
}

interface ExternalReferenceProps {
  readonly external: ExternalLap
  readonly onClear: () => void
}

function ExternalReference({ external, onClear }: ExternalReferenceProps) {
  return (
    <div className="flex min-h-8 items-center gap-2 rounded-control border border-line bg-raised pl-2.5 pointer-coarse:min-h-11">
      {dot}
      {/* A long name has lines of its own: that of a lap of the library ends with its date. */}
      <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 py-0.5 font-semibold">
        <span className="line-clamp-2 max-w-full wrap-anywhere" title={external.name}>
          {external.name}
        </span>
        <span className="tabular-nums">{formatLapTimeMs(external.timeMs)}</span>
      </p>
      <Button variant="ghost" className="h-7.5! rounded-l-none! px-2.5!" onClick={onClear}>
        <X size={14} aria-hidden />
        Clear
      </Button>
    </div>
  )
}
