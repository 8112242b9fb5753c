import { CircleHelp, IdCard } from 'lucide-react'
import { useRef } from 'react'
import { useStore } from '#shared/store/use-store.ts'
import { useKeptFocus } from '#shared/ui/use-kept-focus.ts'
import type { FileOwnerPhase, FileOwnerStore } from './file-owner.ts'
import { Action, Line } from './SaveLapStatus.tsx'

/** The line under the loaded file about its driver number, if there is a question or news for the driver. */
export function FileOwnerLine({ store }: { readonly store: FileOwnerStore }) {
  const phase = useStore(store)
  const part = useRef<HTMLDivElement>(null)
  useKeptFocus(part)
  const sentence = sentenceOf(phase)
  const isAsking = phase.kind === 'asking'
  const Sign = isAsking ? CircleHelp : IdCard
  return (
    <div ref={part} tabIndex={-1} className="outline-none">
      {sentence !== null && (
        <Line
          sign={<Sign size={14} className={isAsking ? 'text-accent' : 'text-muted'} aria-hidden />}
          action={<LineAction phase={phase} store={store} />}
        >
          {sentence}
        </Line>
      )}
    </div>
  )
}

function LineAction({ phase, store }: { readonly phase: FileOwnerPhase; readonly store: FileOwnerStore }) {
  if (phase.kind === 'asking') return <Action onClick={store.confirm}>It is mine</Action>
  if (phase.kind === 'claimed' && phase.canUndo) {
    return <Action onClick={() => void store.undo()}>Undo</Action>
  }
  return null
}

function sentenceOf(phase: FileOwnerPhase): string | null {
  switch (phase.kind) {
    case 'idle':
    case 'checking':
      return null
    case 'asking':
      if (phase.number === null) return 'Not saved yet: the driver number of this file could not be read.'
      return phase.boundNumber === null
        ? `Not saved yet: your driver numbers could not be checked. This file has number ${phase.number}.`
        : `Not saved yet: this file has driver number ${phase.number}, and yours is ${phase.boundNumber}.`
    case 'claimed':
      return phase.isDisputed
        ? `Another account has saved laps of driver number ${phase.number}, too. Your laps stay, and a moderator decides whose number it is.`
        : `Driver number ${phase.number} is bound to your account now.`
    case 'undone':
      return `Driver number ${phase.number} is not bound to your account any more. Your laps stay.`
  }
}
