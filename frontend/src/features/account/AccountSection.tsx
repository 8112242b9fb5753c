import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface AccountSectionProps {
  /** Of the heading. */
  readonly id: string
  readonly title: string
  readonly icon: LucideIcon
  /** Whether the account has something of this kind. */
  readonly isOn: boolean
  readonly children: ReactNode
}

/** A section of the security dialog, below a line. */
export function AccountSection({ id, title, icon: Icon, isOn, children }: AccountSectionProps) {
  return (
    <>
      <hr className="border-line" />
      <section aria-labelledby={id} className="space-y-2.5">
        <h3 id={id} className="flex items-center gap-2 font-semibold">
          <Icon size={16} aria-hidden className={isOn ? 'text-gain' : 'text-muted'} />
          {title}
        </h3>
        {children}
      </section>
    </>
  )
}
