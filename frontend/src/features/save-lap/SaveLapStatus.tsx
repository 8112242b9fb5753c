import { Check, CloudOff, CloudUpload, TriangleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { formatCount } from '#shared/format/count.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { useKeptFocus } from '#shared/ui/use-kept-focus.ts'
import type { SaveLapStore, SavePhase, UnderWayPhase } from './save-lap-store.ts'
import { leftOutWords, skipWords } from './skip-words.ts'

interface SaveLapStatusProps {
  readonly store: SaveLapStore
}

/** Progress of saving the best lap, under the loaded file. Empty if no driver is signed in. */
export function SaveLapStatus({ store }: SaveLapStatusProps) {
  const { phase } = useStore(store)
  const part = useRef<HTMLDivElement>(null)
  useKeptFocus(part)
  return (
    <div ref={part} tabIndex={-1} className="outline-none">
      <Phase phase={phase} store={store} />
    </div>
  )
}

function Phase({ phase, store }: SaveLapStatusProps & { readonly phase: SavePhase }) {
  switch (phase.kind) {
    case 'idle':
      return null
    case 'saved':
      return (
        <Line sign={<Check size={14} className="text-gain" aria-hidden />}>
          {/* The rank at that moment; the card shows the current one. */}
          Best lap saved{phase.lap.rank !== null && `: came in at #${formatCount(phase.lap.rank)}`}
          {leftOutWords(phase.lap.laps_left_out)}
        </Line>
      )
    case 'skipped':
      return (
        <Line sign={<Check size={14} className="text-muted" aria-hidden />}>
          {skipWords(phase.reason)}
          {leftOutWords(phase.leftOut)}
        </Line>
      )
    case 'cancelled':
      return (
        <Line
          sign={<CloudOff size={14} className="text-muted" aria-hidden />}
          action={<Action onClick={store.retry}>Save</Action>}
        >
          Best lap not saved
        </Line>
      )
    case 'failed':
      return (
        <Line
          sign={<TriangleAlert size={14} className="text-loss" aria-hidden />}
          action={phase.canRetry && <Action onClick={store.retry}>Retry</Action>}
        >
          {phase.sentence}
        </Line>
      )
    default:
      return <UnderWay phase={phase} onCancel={phase.kind === 'judging' ? null : store.cancel} />
  }
}

interface UnderWayProps {
  readonly phase: UnderWayPhase
  readonly onCancel: (() => void) | null
}

function UnderWay({ phase, onCancel }: UnderWayProps) {
  const share = phase.kind === 'sending' || phase.kind === 'judging' ? phase.share : null
  const percent = share === null ? null : Math.floor(share * 100)
  return (
    <Line
      sign={<CloudUpload size={14} className="text-accent" aria-hidden />}
      action={onCancel && <Action onClick={onCancel}>Cancel</Action>}
      bar={
        <div
          role="progressbar"
          aria-label="Saving your best lap"
          aria-valuemin={0}
          aria-valuemax={100}
          {...(percent !== null && { 'aria-valuenow': percent })}
          className="h-1 w-full overflow-hidden rounded-full bg-raised"
        >
          {percent === null ? (
            <div className="sweep h-full w-1/3 rounded-full bg-accent motion-reduce:translate-x-full" />
          ) : (
            <div
              className="h-full origin-left rounded-full bg-accent"
              style={{ transform: `scaleX(${percent / 100})` }}
            />
          )}
        </div>
      }
      aside={percent === null ? null : `${percent} %`}
    >
      {words[phase.kind]}
    </Line>
  )
}

const words: Record<UnderWayPhase['kind'], string> = {
  preparing: 'Saving your best lap',
  sending: 'Saving your best lap',
  checking: 'Saving your best lap',
  judging: 'Judging your laps on the server',
  pausing: 'Waiting to try again',
}

interface LineProps {
  readonly sign: ReactNode
  readonly children: ReactNode
  readonly aside?: ReactNode
  readonly action?: ReactNode
  /** Several, below the sentence. */
  readonly actions?: ReactNode
  /** Replaces the line above. */
  readonly bar?: ReactNode
}

export function Line({ sign, children, aside, action, actions, bar }: LineProps) {
  return (
    <div className="mt-2.5 text-xs">
      <div className="flex h-1 items-center">{bar ?? <span className="h-px w-full bg-line" />}</div>
      <div className="mt-1 -mb-1 flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
        <span className="shrink-0">{sign}</span>
        <p role="status" className="min-w-0 flex-1 text-muted">
          {children}
        </p>
        {aside && <span className="text-muted">{aside}</span>}
        {action}
      </div>
      {actions && <div className="mt-1 flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}

interface ActionProps extends Pick<ComponentProps<typeof Button>, 'isBlocked'> {
  readonly onClick: () => void
  readonly children: string
}

export function Action(props: ActionProps) {
  return <Button {...props} className="h-7 px-2 text-xs pointer-coarse:h-11" />
}
