import { Tooltip as Radix } from 'radix-ui'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'

interface TooltipProps {
  /** If empty, there is no tooltip. */
  readonly content: ReactNode
  /** One focusable element that accepts a ref. */
  readonly children: ReactElement
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
}

/** Explains the element under the pointer or with the focus. Only repeats what the page shows, for touch screens. */
export function Tooltip({ content, children, side = 'top' }: TooltipProps) {
  const [isOpen, setOpen] = useState(false)
  /** The browser scrolls an element with the focus into view, and a scroll closes tooltips. */
  const isComingIntoView = useRef(false)
  if (!content) return children
  return (
    <Radix.Root open={isOpen} onOpenChange={open => (open || !isComingIntoView.current) && setOpen(open)}>
      <Radix.Trigger
        asChild
        onFocus={() => {
          isComingIntoView.current = true
          const end = () => {
            isComingIntoView.current = false
          }
          requestAnimationFrame(() => requestAnimationFrame(end))
        }}
        onBlur={() => {
          isComingIntoView.current = false
        }}
      >
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-w-72 rounded-control border border-line bg-raised px-2.5 py-1.5 text-xs text-text"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const TooltipProvider = Radix.Provider
