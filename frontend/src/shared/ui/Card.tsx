import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  readonly title: string
  /** Shown at the right of the title. */
  readonly aside?: ReactNode
}

/** One panel of the main screen: a region with its title as its name. */
export function Card({ title, aside, className, children, ...props }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={clsx('rounded-card border border-line bg-card p-3', className)}
      {...props}
    >
      <header className="flex min-h-6 items-center justify-between gap-3">
        <h2 id={id} className="text-xs font-semibold text-muted">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
