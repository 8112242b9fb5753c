import { clsx } from 'clsx'
import { Check, ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type SelectKeys, selectKey } from './select-keys.ts'
import { Tooltip } from './Tooltip.tsx'

interface SelectOption {
  readonly value: string
  readonly label: string
}

interface SelectProps {
  /** The name of the choice for screen readers; not shown. */
  readonly label: string
  readonly value: string
  readonly onValueChange: (value: string) => void
  readonly options: readonly SelectOption[]
  /** Shown before the chosen label, for example a dot in a lap's colour. */
  readonly mark?: ReactNode
  /** Shown while nothing is chosen. */
  readonly placeholder?: string
  /** A tooltip that explains the choice. */
  readonly hint?: string
  readonly disabled?: boolean
}

/**
 * A drop-down list that cuts no label: the select-only combobox of the ARIA Authoring Practices. It is not
 * modal: the focus stays on the control, and screen readers can still read the page around it.
 */
export function Select(props: SelectProps) {
  const { label, value, onValueChange, options, mark, placeholder, hint, disabled } = props
  const listId = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const keys = useRef<SelectKeys>({ typed: '', typedAtMs: 0 })
  const chosen = options.findIndex(option => option.value === value)

  const show = () => {
    setActive(Math.max(chosen, 0))
    setOpen(true)
  }
  const choose = (index: number) => {
    setOpen(false)
    const option = options[index]
    if (option && option.value !== value) onValueChange(option.value)
  }
  const hear = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return
    const labels = options.map(option => option.label)
    const state = { isOpen: open, active: open ? active : Math.max(chosen, 0), labels }
    const effect = selectKey(event, state, keys.current, event.timeStamp)
    if (!effect) return
    if (effect.isHandled) event.preventDefault()
    if (effect.kind === 'choose') choose(effect.index)
    if (effect.kind === 'close') setOpen(false)
    if (effect.kind === 'move') {
      setActive(effect.index)
      setOpen(true)
    }
  }

  const trigger = (
    <Popover.Trigger asChild>
      <button
        type="button"
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-controls={open ? listId : undefined}
        aria-expanded={open}
        aria-activedescendant={open ? `${listId}-${active}` : undefined}
        disabled={disabled}
        onKeyDown={hear}
        className="flex h-8 w-full cursor-pointer items-center gap-2 rounded-control border border-line bg-raised px-2.5 text-left font-semibold hover:border-muted/60 disabled:cursor-not-allowed disabled:opacity-50 pointer-coarse:h-11"
      >
        {mark}
        <span className={clsx('min-w-0 flex-1 truncate', chosen < 0 && 'font-medium text-muted')}>
          {options[chosen]?.label ?? placeholder}
        </span>
        <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
      </button>
    </Popover.Trigger>
  )

  return (
    <Popover.Root open={open} onOpenChange={next => (next ? show() : setOpen(false))}>
      <Tooltip content={hint}>{trigger}</Tooltip>
      {/* Not in a portal: the list belongs to the same landmark as its control. */}
      <Popover.Content
        id={listId}
        role="listbox"
        aria-label={label}
        align="start"
        sideOffset={4}
        collisionPadding={8}
        onOpenAutoFocus={stop}
        onCloseAutoFocus={stop}
        className="z-50 max-h-(--radix-popover-content-available-height) max-w-(--radix-popover-content-available-width) min-w-(--radix-popover-trigger-width) overflow-y-auto rounded-control border border-line bg-raised p-1 outline-none"
      >
        {options.map((option, index) => (
          <Option
            key={option.value}
            id={`${listId}-${index}`}
            label={option.label}
            isActive={index === active}
            isChosen={index === chosen}
            onPoint={() => setActive(index)}
            onChoose={() => choose(index)}
          />
        ))}
        {/* Makes the list as wide as its longest label, because options outside the view have no layout. */}
        <div aria-hidden="true" className="invisible h-0 truncate pr-8 pl-2">
          {longest(options)}
        </div>
      </Popover.Content>
    </Popover.Root>
  )
}

interface OptionProps {
  readonly id: string
  readonly label: string
  readonly isActive: boolean
  readonly isChosen: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

function Option({ id, label, isActive, isChosen, onPoint, onChoose }: OptionProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focus and its keys stay on the combobox
    // biome-ignore lint/a11y/useFocusableInteractive: reached through aria-activedescendant
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isChosen}
      onPointerMove={onPoint}
      // A press would take the focus from the combobox.
      onMouseDown={event => event.preventDefault()}
      onClick={onChoose}
      className={clsx(
        // Lists can have hundreds of options; those outside the view have no layout.
        'flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 [contain-intrinsic-size:auto_32px] [content-visibility:auto] pointer-coarse:h-11',
        isActive && 'bg-accent text-on-accent',
      )}
    >
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {isChosen && <Check size={14} aria-hidden className="shrink-0" />}
    </div>
  )
}

function longest(options: readonly SelectOption[]): string {
  return options.reduce((found, { label }) => (label.length > found.length ? label : found), '')
}

const stop = (event: Event) => event.preventDefault()
