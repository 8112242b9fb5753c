import { Flag } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { MenuPanel } from '#shared/ui/MenuPanel.tsx'
import type { ReportReason } from './board-api.ts'

interface ReportMenuProps {
  readonly name: string
  readonly onReport: (reason: ReportReason) => Promise<void>
}

const reasons: readonly { readonly reason: ReportReason; readonly label: string }[] = [
  { reason: 'lap', label: 'The lap cannot be real' },
  { reason: 'name', label: 'The name is offensive' },
]

/** Asks what is wrong with an entry, and reports it. */
export function ReportMenu({ name, onReport }: ReportMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button
          isBlocked={isBusy}
          aria-label={`Report: ${name}`}
          className="max-sm:size-8 max-sm:px-0 max-sm:pointer-coarse:size-11"
        >
          <Flag size={14} aria-hidden />
          <span className="max-sm:hidden">Report</span>
        </Button>
      </Popover.Trigger>
      <MenuPanel label={`Report ${name}`} className="w-60 p-3">
        <p className="mb-2 text-xs text-muted">What is wrong? The driver does not see your report.</p>
        <div className="space-y-1.5">
          {reasons.map(({ reason, label }) => (
            <Button
              key={reason}
              size="wide"
              onClick={async () => {
                setOpen(false)
                setBusy(true)
                await onReport(reason)
                setBusy(false)
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      </MenuPanel>
    </Popover.Root>
  )
}
