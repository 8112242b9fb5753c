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
  /** Nothing of the file is sent before the driver chooses. */
  readonly isWithheld: boolean
  /** The lap is what is sent, so there is nothing to offer. */
  readonly isLapChosen: boolean
  readonly isSignedIn: boolean
  /** Sends the lap in place of the whole file. */
  readonly onSend: (lap: File) => void
  /** Sends the whole file. */
  readonly onSendAll: () => void
}

/**
 * The line under a file that was opened without saving, or takes long to be sent. It offers to send the best lap alone,
 * and the whole file if nothing of it is sent.
 */
export function BestLapLine(props: BestLapLineProps) {
  const state = useStore(props.store)
  const part = useRef<HTMLDivElement>(null)
  useKeptFocus(part)
  return (
    <div ref={part} tabIndex={-1} className="outline-none">
      {!props.isLapChosen && <Offer {...props} {...state} />}
    </div>
  )
}

function Offer(props: BestLapLineProps & BestLapState) {
  const { fileBytes, isLarge, isWithheld, isSignedIn, onSend, lap, isSlow } = props
  if (isWithheld) {
    const actions = isSignedIn && <SaveActions {...props} />
    const why = isLarge ? 'over 100 MB' : 'opened from your library'
    return (
      <Line
        sign={<CloudOff size={14} className="text-muted" aria-hidden />}
        action={isLarge && actions}
        actions={!isLarge && actions}
      >
        {`Not sent: ${why}. ${isSignedIn ? ofLap(lap) : SIGN_IN}`.trim()}
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

function SaveActions({ store, lap, isLarge, onSend, onSendAll }: BestLapLineProps & BestLapState) {
  const send = () => lap.kind === 'ready' && onSend(lap.file)
  return (
    <>
      {lap.kind === 'failed' ? (
        <Action onClick={store.cut}>Retry</Action>
      ) : (
        // Blocked until the lap is judged, so that no button moves when it is.
        lap.kind !== 'impossible' && (
          <Action isBlocked={lap.kind !== 'ready'} onClick={send}>
            Save the best lap
          </Action>
        )
      )}
      {!isLarge && <Action onClick={onSendAll}>Save the session</Action>}
    </>
  )
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
