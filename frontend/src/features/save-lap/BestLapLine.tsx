import { CloudOff, Gauge } from 'lucide-react'
import { useRef } from 'react'
import { useStore } from '#shared/store/use-store.ts'
import { useKeptFocus } from '#shared/ui/use-kept-focus.ts'
import type { BestLap, BestLapState, BestLapStore } from './best-lap-store.ts'
import { Action, Line } from './SaveLapStatus.tsx'

interface BestLapLineProps {
  readonly store: BestLapStore
  readonly fileBytes: number
  /** The file is too large to be sent. */
  readonly isLarge: boolean
  /** The lap is what is sent, so there is nothing to offer. */
  readonly isChosen: boolean
  readonly isSignedIn: boolean
  /** Sends the lap in place of the whole file. */
  readonly onSend: (lap: File) => void
}

/** The line under a file that is too large to be sent or takes long: it offers to send the best lap alone. */
export function BestLapLine(props: BestLapLineProps) {
  const state = useStore(props.store)
  const part = useRef<HTMLDivElement>(null)
  useKeptFocus(part)
  return (
    <div ref={part} tabIndex={-1} className="outline-none">
      {!props.isChosen && <Offer {...props} {...state} />}
    </div>
  )
}

function Offer(props: BestLapLineProps & BestLapState) {
  const { store, fileBytes, isLarge, isSignedIn, onSend, lap, isSlow } = props
  if (isLarge) {
    return (
      <Line
        sign={<CloudOff size={14} className="text-muted" aria-hidden />}
        action={isSignedIn && <LargeAction lap={lap} onSend={onSend} onRetry={store.cut} />}
      >
        {`Not saved: over 100 MB. ${isSignedIn ? ofLap(lap) : SIGN_IN}`.trim()}
      </Line>
    )
  }
  // Only a part that is much smaller is worth a new start.
  if (!isSlow || lap.kind !== 'ready' || lap.file.size > fileBytes / 4) return null
  return (
    <Line
      sign={<Gauge size={14} className="text-warning" aria-hidden />}
      action={<Action onClick={() => onSend(lap.file)}>Send only the best lap</Action>}
    >
      Slow connection
    </Line>
  )
}

interface LargeActionProps {
  readonly lap: BestLap
  readonly onSend: (lap: File) => void
  readonly onRetry: () => void
}

function LargeAction({ lap, onSend, onRetry }: LargeActionProps) {
  if (lap.kind === 'ready') return <Action onClick={() => onSend(lap.file)}>Save the best lap</Action>
  return lap.kind === 'failed' ? <Action onClick={onRetry}>Retry</Action> : null
}

const SIGN_IN = 'Signed in, you can save its best lap.'

function ofLap(lap: BestLap): string {
  switch (lap.kind) {
    case 'unknown':
    case 'cutting':
    case 'ready':
      return ''
    case 'impossible':
      return 'Its best lap cannot be saved alone: the verdict needs more of the session.'
    case 'failed':
      return lap.sentence
  }
}
