import { clsx } from 'clsx'
import {
  CircleDashed,
  CircleHelp,
  GitCompareArrows,
  ShieldCheck,
  Trash2,
  TriangleAlert,
  Trophy,
} from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { formatMoment } from '#shared/laps/lap-facts.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Switch } from '#shared/ui/Switch.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import { momentOf } from './lap-moment.ts'
import { type LapVerdict, lapVerdict } from './lap-verdict.ts'
import type { MyLap } from './my-laps-api.ts'

interface MyLapRowProps {
  readonly lap: MyLap
  readonly isBusy: boolean
  /** Below the visible rows at first, so that its layout can be skipped. */
  readonly isFar: boolean
  /** The page shows this lap. */
  readonly isOpen: boolean
  readonly onOpen: () => void
  /** Null if the lap cannot be compared with the open session. */
  readonly onCompare: (() => void) | null
  readonly onReferenceAllowed: (isAllowed: boolean) => void
  readonly onRemove: () => void
}

/** The label of a row's Delete button, by which `MyLapsDialog` finds it. */
export const DELETE_LABEL = 'Delete lap'
const USE_LABEL = 'Use as Reference'

/** One saved lap: its time, track and car, verdict, and the driver's actions. */
export function MyLapRow(props: MyLapRowProps) {
  const { lap, isBusy, isFar, isOpen, onOpen, onCompare, onReferenceAllowed, onRemove } = props
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  const deleteButton = useRef<HTMLButtonElement>(null)
  const { combination, on_board, time_fmt } = lap
  const moment = momentOf(lap)
  return (
    <li
      aria-labelledby={id}
      className={clsx(
        'border-b border-line py-2.5 last:border-b-0',
        isFar && '[contain-intrinsic-size:auto_76px] [content-visibility:auto]',
      )}
    >
      <div className="grid grid-cols-[5.5rem_minmax(0,1fr)_auto] items-start gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-center">
        <p id={id} className={clsx('text-lg leading-6 font-semibold', time_fmt === null && 'text-muted')}>
          {time_fmt ?? 'No time'}
          <span className="sr-only">
            , lap {lap.lap}, {combination.track_label}, {combination.car_label}
          </span>
        </p>
        <div className="min-w-0 max-sm:col-span-2 max-sm:col-start-1 max-sm:row-start-2">
          <p>
            Lap {lap.lap} · {lap.driven_at === null ? 'saved' : 'driven'}{' '}
            <time dateTime={moment}>{formatMoment(moment)}</time>
          </p>
          <Verdict verdict={lapVerdict(lap)} />
          {!lap.has_reference && (
            <p className="mt-0.5 text-xs text-muted">Its telemetry is not stored, so it cannot be opened.</p>
          )}
          {on_board.length > 0 && (
            <p className="mt-0.5 flex items-baseline gap-1.5 text-xs font-medium text-accent">
              <Trophy size={12} aria-hidden className="shrink-0 translate-y-0.5" />
              {boardWords(on_board)}
            </p>
          )}
        </div>
        <div
          className={clsx(
            'flex flex-wrap items-center gap-2',
            // A single button needs no row of its own.
            lap.has_reference || isOpen
              ? 'max-sm:col-span-2 max-sm:col-start-1 max-sm:row-start-3 max-sm:mt-1.5'
              : 'max-sm:col-start-2 max-sm:row-start-1',
          )}
        >
          {isOpen ? (
            <span className="px-2 text-xs font-medium text-muted">Open now</span>
          ) : (
            lap.has_reference && (
              <>
                <Button isBlocked={isBusy} onClick={onOpen}>
                  Open
                </Button>
                {onCompare && (
                  <Tooltip content={USE_LABEL} side="top">
                    <Button size="icon" aria-label={USE_LABEL} isBlocked={isBusy} onClick={onCompare}>
                      <GitCompareArrows size={15} aria-hidden />
                    </Button>
                  </Tooltip>
                )}
              </>
            )
          )}
          {lap.has_reference && (
            <Switch
              label="Reference"
              checked={lap.reference_allowed}
              isBusy={isBusy}
              onCheckedChange={onReferenceAllowed}
            />
          )}
          <Button
            ref={deleteButton}
            variant="ghost"
            size="icon"
            aria-label={DELETE_LABEL}
            aria-expanded={isAsking}
            isBlocked={isBusy}
            onClick={() => setAsking(!isAsking)}
          >
            <Trash2 size={15} aria-hidden />
          </Button>
        </div>
      </div>
      {isAsking && (
        <fieldset
          aria-label="Delete this lap?"
          className="mt-2 flex flex-wrap items-center justify-end gap-2 rounded-control border border-loss/50 p-2"
        >
          <p className="flex-1 text-xs max-sm:basis-full">
            {on_board.length > 0
              ? 'Delete this lap? It leaves the leaderboard, and your next best lap takes its place.'
              : 'Delete this lap?'}{' '}
            Nothing brings it back.
          </p>
          <Button
            autoFocus
            onClick={() => {
              setAsking(false)
              deleteButton.current?.focus()
            }}
          >
            Keep it
          </Button>
          <Button variant="danger" isBlocked={isBusy} onClick={onRemove}>
            {isBusy ? 'Deleting...' : DELETE_LABEL}
          </Button>
        </fieldset>
      )}
    </li>
  )
}

const signs = {
  clean: ShieldCheck,
  unverified: CircleHelp,
  unclean: TriangleAlert,
  partial: CircleDashed,
} as const

function Verdict({ verdict: { kind, headline, reasons } }: { readonly verdict: LapVerdict }) {
  const Sign = signs[kind]
  return (
    <p className="mt-0.5 flex items-baseline gap-1.5 text-xs">
      <Sign
        size={12}
        aria-hidden
        className={clsx('shrink-0 translate-y-0.5', kind === 'unclean' ? 'text-warning' : 'text-muted')}
      />
      <span>
        {headline}
        {reasons.length > 0 && <span className="text-muted">: {reasons.join('. ')}.</span>}
      </span>
    </p>
  )
}

function boardWords(boards: MyLap['on_board']): string {
  if (boards.length === 2) return 'Your entry on the leaderboard, and among the clean laps'
  return boards[0] === 'clean' ? 'Your entry among the clean laps' : 'Your entry on the leaderboard'
}
