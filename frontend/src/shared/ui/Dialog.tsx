import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  /** Hides the title; screen readers still read it out. */
  readonly hideTitle?: boolean
  /** Tailwind classes for the width. */
  readonly width: string
  /** The focus starts on the dialog itself: its first control would immediately show its tooltip. */
  readonly focusDialog?: boolean
  /** A part of the content scrolls; otherwise all of it does. */
  readonly ownScroll?: boolean
  /** The top stays in place when the height of the content changes; otherwise the middle does. */
  readonly fromTop?: boolean
  readonly children: ReactNode
}

/**
 * A layer over the page. Escape, a press outside, its close button and the browser's Back close it. The focus
 * then returns to the element that had it before.
 */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, hideTitle, width, focusDialog, ownScroll, fromTop, children } = props
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus()
  useBackCloses(open, () => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="layer-in fixed inset-0 z-40 bg-scrim" />
        <div
          className={clsx(
            'pointer-events-none fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] justify-items-center px-3 pt-(--above) pb-3 [--above:12px]',
            // The top of the tallest such dialog in the middle of the window.
            fromTop ? 'items-start sm:[--above:max(12px,calc(50dvh-357px))]' : 'items-center',
          )}
        >
          <Radix.Content
            onCloseAutoFocus={onCloseAutoFocus}
            onOpenAutoFocus={event => {
              onOpenAutoFocus()
              if (!focusDialog) return
              event.preventDefault()
              if (event.target instanceof HTMLElement) event.target.focus({ preventScroll: true })
            }}
            aria-describedby={undefined}
            onInteractOutside={stayOpenForToasts}
            className={clsx(
              'panel-in pointer-events-auto relative flex max-h-[calc(100dvh-12px-var(--above)-var(--toast-lane,0px))] max-w-full flex-col overflow-hidden rounded-card border border-line bg-card outline-none',
              width,
            )}
          >
            <Radix.Title
              className={
                hideTitle
                  ? 'sr-only'
                  : clsx('px-5 pt-4 pr-14 text-base font-semibold', ownScroll && 'max-sm:pl-3')
              }
            >
              {title}
            </Radix.Title>
            {/* Scrolls by itself if the window is low; the close button stays visible. */}
            <div className={clsx('min-h-0 overflow-y-auto', ownScroll && 'flex flex-col')}>{children}</div>
            <Radix.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close" className="absolute top-3 right-3">
                <X size={16} aria-hidden />
              </Button>
            </Radix.Close>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Stays open on a press on a toast, which is about what the dialog just did. */
function stayOpenForToasts(event: CustomEvent<{ readonly originalEvent: Event }>) {
  const { target } = event.detail.originalEvent
  if (target instanceof Element && target.closest('[data-sonner-toaster]')) event.preventDefault()
}
