import { Dialog as Radix } from 'radix-ui'
import { formatFileSize } from '#shared/format/file-size.ts'
import { Button } from '#shared/ui/Button.tsx'
import { useBackCloses } from '#shared/ui/use-back-closes.ts'
import { useReturnFocus } from '#shared/ui/use-return-focus.ts'
import type { Reading } from './upload-store.ts'

interface ParsingOverlayProps {
  readonly reading: Reading | null
  readonly onCancel: () => void
}

/** The dialog while a slow file is read. Escape, Back and the button cancel; a press outside does nothing. */
export function ParsingOverlay({ reading, onCancel }: ParsingOverlayProps) {
  const percent = reading?.share == null ? null : Math.round(reading.share * 100)
  const returnFocus = useReturnFocus()
  useBackCloses(reading?.isSlow ?? false, onCancel)
  return (
    <Radix.Root open={reading?.isSlow ?? false} onOpenChange={open => !open && onCancel()}>
      <Radix.Portal>
        <Radix.Overlay className="layer-in fixed inset-0 z-40 bg-scrim" />
        <Radix.Content
          {...returnFocus}
          onInteractOutside={event => event.preventDefault()}
          className="panel-in fixed top-1/2 left-1/2 z-40 w-[min(420px,calc(100vw-24px))] -translate-1/2 rounded-card border border-line bg-card p-5 outline-none"
        >
          <Radix.Title className="truncate text-base font-semibold">Reading {reading?.name}</Radix.Title>
          <Radix.Description className="mt-1.5 text-muted">
            Please keep this tab open and do not refresh while parsing. Larger files may take longer to
            process.
          </Radix.Description>
          <div
            role="progressbar"
            aria-label="File read"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent ?? undefined}
            className="mt-4 h-1.5 overflow-hidden rounded-full bg-raised"
          >
            <div
              className={
                percent === null
                  ? 'sweep h-full w-1/3 bg-accent'
                  : 'h-full origin-left bg-accent transition-transform'
              }
              style={percent === null ? undefined : { transform: `scaleX(${percent / 100})` }}
            />
          </div>
          <div className="mt-3 flex items-center justify-between">
            <p className="text-xs text-muted">
              {percent !== null && `${percent} %`}
              {percent !== null && reading?.sizeBytes != null && ' of '}
              {reading?.sizeBytes != null && formatFileSize(reading.sizeBytes)}
            </p>
            <Button onClick={onCancel}>Cancel</Button>
          </div>
          {/* Quarters only, so that a screen reader does not read out every percent. */}
          <p className="sr-only" aria-live="polite">
            {percent === null ? 'Reading the file.' : `${Math.floor(percent / 25) * 25} percent read.`}
          </p>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
