import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import { Tooltip } from './Tooltip.tsx'

interface Segment<T extends string> {
  readonly value: T
  readonly label: ReactNode
  /** What screen readers read out in place of the label. */
  readonly name?: string
  /** A tooltip that explains the choice. */
  readonly hint?: string
  /** Announces the choice as disabled. Unlike `disabled`, it can have the focus, so that its hint is found. */
  readonly isBlocked?: boolean
}

export interface SegmentedControlProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onValueChange: (value: T) => void
  /** Called instead for a blocked choice, whose hint a finger cannot see. */
  readonly onBlocked?: (value: T) => void
  readonly segments: readonly Segment<T>[]
}

/** A choice between two or three options that are all visible. */
export function SegmentedControl<T extends string>(props: SegmentedControlProps<T>) {
  const { label, value, onValueChange, onBlocked, segments } = props
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // Radix reports '' if the chosen option is pressed again; here one is always chosen.
      onValueChange={next => {
        const pressed = segments.find(segment => segment.value === next)
        if (pressed?.isBlocked) onBlocked?.(pressed.value)
        else if (pressed) onValueChange(pressed.value)
      }}
      className="inline-flex h-8 overflow-hidden rounded-control border border-line pointer-coarse:h-11"
    >
      {segments.map(segment => (
        <Tooltip key={segment.value} content={segment.hint}>
          <ToggleGroup.Item
            value={segment.value}
            aria-label={segment.name}
            aria-disabled={segment.isBlocked}
            // By `aria-checked`, because with a tooltip `data-state` is the tooltip's.
            className="inline-flex cursor-pointer items-center gap-1.5 px-3 low:px-2 font-medium text-muted -outline-offset-2 hover:text-text aria-disabled:cursor-not-allowed aria-disabled:opacity-50 aria-checked:bg-raised aria-checked:text-text [&+&]:border-l [&+&]:border-line"
          >
            {segment.label}
          </ToggleGroup.Item>
        </Tooltip>
      ))}
    </ToggleGroup.Root>
  )
}
