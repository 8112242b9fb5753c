import { useId } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { type UsernameFormRules, useUsernameForm } from './use-username-form.ts'

/** The field in the header, shown while the name is a generated one. */
export function UsernameField(rules: UsernameFormRules) {
  const id = useId()
  const { field, problem, hint, canSave, isBusy, save } = useUsernameForm(rules)
  return (
    <div className="relative flex items-center gap-1.5">
      <input
        id={id}
        aria-label="Username"
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-note`}
        className="h-8 w-36 rounded-control border border-line bg-raised px-2.5 hover:border-muted/60 aria-invalid:border-loss"
        {...field}
      />
      <Button disabled={!canSave} aria-disabled={isBusy} onClick={() => void save()}>
        {isBusy ? 'Updating...' : 'Update Username'}
      </Button>
      <div
        id={`${id}-note`}
        aria-live="polite"
        className="absolute top-full left-0 z-10 mt-2 w-72 rounded-control border border-line bg-raised px-2.5 py-1.5 text-xs empty:hidden"
      >
        {problem ? <p className="text-loss">{problem}</p> : hint}
      </div>
    </div>
  )
}
