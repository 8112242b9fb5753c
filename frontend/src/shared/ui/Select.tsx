import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'

export interface SelectOption {
  readonly value: string
  readonly label: string
}

export interface SelectProps {
  /** Says what is chosen; not shown. */
  readonly label: string
  readonly value: string
  readonly onValueChange: (value: string) => void
  readonly options: readonly SelectOption[]
  /** Before the chosen label, for example a dot in a lap's colour. */
  readonly mark?: ReactNode
  readonly disabled?: boolean
}

/** A drop-down list as wide as its control. */
export function Select({ label, value, onValueChange, options, mark, disabled }: SelectProps) {
  const [open, setOpen] = useState(false)
  const chosen = options.find(option => option.value === value)
  return (
    <Radix.Root
      value={value}
      onValueChange={onValueChange}
      onOpenChange={setOpen}
      disabled={disabled ?? false}
    >
      <Radix.Trigger
        aria-label={label}
        className="flex h-8 w-full cursor-pointer items-center gap-2 rounded-control border border-line bg-raised px-2.5 text-left font-semibold hover:border-muted/60 disabled:cursor-not-allowed disabled:opacity-50 pointer-coarse:h-11"
      >
        {mark}
        <span className="min-w-0 flex-1 truncate">
          {/* Said here, so that a long list need not be drawn before it is opened. */}
          <Radix.Value>{chosen?.label}</Radix.Value>
        </span>
        <Radix.Icon className="text-muted">
          <ChevronDown size={16} aria-hidden />
        </Radix.Icon>
      </Radix.Trigger>
      {open && (
        <Radix.Portal>
          <Radix.Content
            position="popper"
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-h-(--radix-select-content-available-height) w-(--radix-select-trigger-width) overflow-hidden rounded-control border border-line bg-raised"
          >
            <Radix.Viewport className="p-1">
              {options.map(option => (
                <Radix.Item
                  key={option.value}
                  value={option.value}
                  className="flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 outline-none data-[highlighted]:bg-accent data-[highlighted]:text-on-accent pointer-coarse:h-11"
                >
                  <span className="min-w-0 flex-1 truncate">
                    <Radix.ItemText>{option.label}</Radix.ItemText>
                  </span>
                  <Radix.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  )
}
