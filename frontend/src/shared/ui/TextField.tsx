import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  readonly label: string
  /** The problem with the text; marks the field. */
  readonly problem?: string | null
  /** Shown below the field if there is no problem. */
  readonly hint?: ReactNode
  /** Shown inside the field, at its right end. */
  readonly action?: ReactNode
}

/** A line of text with its label above and a hint or problem below. */
export function TextField({ label, problem, hint, action, ...input }: TextFieldProps) {
  const id = useId()
  const note = problem ?? hint ?? null
  return (
    <div className="min-w-0">
      <div className="flex">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
      </div>
      <div className="relative mt-1">
        <input
          id={id}
          aria-invalid={problem ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          className={clsx(
            'h-9 w-full rounded-control border bg-raised px-3 text-text placeholder:text-muted disabled:opacity-60 pointer-coarse:h-11 pointer-coarse:text-base',
            problem ? 'border-loss' : 'border-line hover:border-muted/60',
            action && 'pr-11',
          )}
          {...input}
        />
        {action && <div className="absolute inset-y-0 right-0.5 flex items-center">{action}</div>}
      </div>
      <div id={`${id}-note`} aria-live="polite" className="text-xs">
        {problem ? <p className="pt-1 text-loss">{problem}</p> : hint && <div className="pt-1">{hint}</div>}
      </div>
    </div>
  )
}
