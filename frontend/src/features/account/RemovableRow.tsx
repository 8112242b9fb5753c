import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { ConfirmRemoval } from './ConfirmRemoval.tsx'

interface RemovableRowProps {
  /** Named by the button that removes the row. */
  readonly name: string
  readonly question: string
  readonly action: string
  readonly isBusy: boolean
  readonly onRemove: () => Promise<void>
  readonly children: ReactNode
}

/** A row of a list whose last button removes it, after a question. */
export function RemovableRow({ name, question, action, isBusy, onRemove, children }: RemovableRowProps) {
  const [isRemoving, setRemoving] = useState(false)
  if (isRemoving) {
    return (
      <li className="p-2.5">
        <ConfirmRemoval
          question={question}
          action={action}
          isBusy={isBusy}
          onCancel={() => setRemoving(false)}
          onConfirm={async () => {
            await onRemove()
            setRemoving(false)
          }}
        />
      </li>
    )
  }
  return (
    <li className="flex items-center gap-1 py-1 pr-1 pl-3">
      {children}
      <Button variant="ghost" size="icon" aria-label={`Remove ${name}`} onClick={() => setRemoving(true)}>
        <Trash2 size={14} aria-hidden />
      </Button>
    </li>
  )
}
