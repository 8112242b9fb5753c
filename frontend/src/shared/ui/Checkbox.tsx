import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'

interface CheckboxProps {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onCheckedChange: (checked: boolean) => void
  readonly disabled?: boolean
}

/** A checkbox; a press on its label toggles it, too. */
export function Checkbox({ label, checked, onCheckedChange, disabled }: CheckboxProps) {
  const id = useId()
  return (
    <div className="flex min-h-6 items-center gap-2 pointer-coarse:min-h-11">
      <span className="relative grid shrink-0 place-items-center">
        <input
          id={id}
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={event => onCheckedChange(event.target.checked)}
          className="peer size-4 cursor-pointer appearance-none rounded-[4px] border border-muted/70 bg-raised checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-50 pointer-coarse:size-5"
        />
        <Check
          size={12}
          strokeWidth={3}
          aria-hidden
          className="pointer-events-none absolute text-on-accent opacity-0 peer-checked:opacity-100"
        />
      </span>
      <label htmlFor={id} className="cursor-pointer select-none">
        {label}
      </label>
    </div>
  )
}
