import { FileUp, FolderOpen, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatFileSize } from '#shared/format/file-size.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Tooltip } from '#shared/ui/Tooltip.tsx'
import type { Session } from './upload-store.ts'

interface FileCardProps {
  readonly session: Session
  readonly onReplace: () => void
  readonly onClose: () => void
  /** Opens the driver's library; null for a driver without one. */
  readonly onLibrary: (() => void) | null
  /** Lines below, such as the progress of the save. */
  readonly children?: ReactNode
}

/** The upload box after a file is loaded. */
export function FileCard({ session, onReplace, onClose, onLibrary, children }: FileCardProps) {
  const { name, sizeBytes, readMs, file, savedLap, preview, isReopened } = session
  const laps = preview.laps.length
  return (
    <section aria-label="Loaded file" className="rounded-card border border-line bg-card p-3">
      <div className="flex items-center gap-2">
        <Tooltip content="Replace: choose another .ibt file, or drop it anywhere">
          <Button
            size="named"
            word="Replace"
            aria-label="Replace file"
            onClick={onReplace}
            className="text-accent"
          >
            <FileUp size={18} aria-hidden />
          </Button>
        </Tooltip>
        {onLibrary && (
          <Button
            size="named"
            word="Library"
            aria-label="Your telemetry library"
            title="Your telemetry library"
            onClick={onLibrary}
          >
            <FolderOpen size={18} aria-hidden />
          </Button>
        )}
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-1.5 font-semibold">
            <span className="line-clamp-2 wrap-anywhere" title={name}>
              {name}
            </span>
            {file === null && (
              <span className="rounded-sm border border-line px-1 text-[11px] font-medium text-muted">
                {savedLap === null ? 'simulated' : 'saved lap'}
              </span>
            )}
          </p>
          <p className="text-xs text-muted">
            {savedLap === null
              ? [
                  formatFileSize(sizeBytes),
                  `${laps} ${laps === 1 ? 'lap' : 'laps'}`,
                  `read in ${formatReadTime(readMs)}`,
                ].join(' · ')
              : 'From your saved laps'}
          </p>
          {preview.debug.partial && (
            <p className="text-xs text-warning">The file is cut short; what is there was read.</p>
          )}
        </div>
        <Button
          variant="ghost"
          size="named"
          word="Close"
          aria-label="Close file"
          onClick={onClose}
          className="-mr-2"
        >
          <X size={16} aria-hidden />
        </Button>
      </div>
      {isReopened && savedLap === null && (
        <p className="mt-1.5 text-xs text-muted">
          Opened again from this browser’s own store. Close forgets it.
        </p>
      )}
      {children}
    </section>
  )
}

/** Formats tenths of a second, never "0.0 s"; number and unit stay on one line. */
function formatReadTime(ms: number): string {
  return `${Math.max(0.1, ms / 1000).toFixed(1)}\u00a0s`
}
