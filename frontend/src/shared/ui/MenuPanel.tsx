import { clsx } from 'clsx'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'

interface MenuPanelProps {
  readonly label: string
  readonly className: string
  readonly children: ReactNode
}

/** The panel that opens below a button of the header. */
export function MenuPanel({ label, className, children }: MenuPanelProps) {
  return (
    <Popover.Portal>
      <Popover.Content
        align="end"
        sideOffset={10}
        collisionPadding={12}
        aria-label={label}
        className={clsx('panel-in z-50 rounded-card border border-line bg-card outline-none', className)}
      >
        {children}
      </Popover.Content>
    </Popover.Portal>
  )
}
