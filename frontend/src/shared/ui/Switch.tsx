import { Switch as Radix } from 'radix-ui'
import { useId } from 'react'

interface SwitchProps {
  readonly label: string
  readonly checked: boolean
  readonly onCheckedChange: (checked: boolean) => void
  /** A change is running. Not `disabled`: a keyboard user keeps the focus. */
  readonly isBusy?: boolean
}

/** An on/off switch with a label; a press on the label toggles it, too. */
export function Switch({ label, checked, onCheckedChange, isBusy = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-2 pointer-coarse:min-h-11">
      <label htmlFor={id} className="cursor-pointer font-medium select-none">
        {label}
      </label>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={next => !isBusy && onCheckedChange(next)}
        aria-disabled={isBusy || undefined}
        className="relative h-[18px] w-8 shrink-0 cursor-pointer rounded-full border border-muted/60 bg-raised transition-colors duration-100 data-[state=checked]:border-accent data-[state=checked]:bg-accent aria-disabled:cursor-progress aria-disabled:opacity-50 pointer-coarse:after:absolute pointer-coarse:after:-inset-3"
      >
        <Radix.Thumb className="block size-3 translate-x-0.5 rounded-full bg-muted transition-transform duration-100 data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  )
}
