import { FileText, X } from 'lucide-react'
import { formatFileSize } from '#shared/format/file-size.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Card } from '#shared/ui/Card.tsx'
import type { Offer } from './upload-store.ts'

interface OfferedFilesCardProps {
  readonly offer: Offer
  /** The file that is open already. */
  readonly openFile: File | null
  readonly onOpen: (file: File) => void
  readonly onClose: () => void
  /** Shows all of them in the library. */
  readonly onLibrary: () => void
}

/** The other files that were dropped with the open one; a press opens one. */
export function OfferedFilesCard({ offer, openFile, onOpen, onClose, onLibrary }: OfferedFilesCardProps) {
  const others = offer.files.filter(file => file !== openFile)
  return (
    <Card
      title="Other dropped files"
      aside={
        <Button
          variant="ghost"
          size="icon"
          aria-label="Close the list of files"
          onClick={onClose}
          className="-mr-2"
        >
          <X size={16} aria-hidden />
        </Button>
      }
    >
      <ul aria-label="Other dropped files" className="mt-1 max-h-48 overflow-y-auto">
        {others.map((file, index) => (
          // Files in two folders can have the same name.
          <li key={`${index} ${file.name}`}>
            <button
              type="button"
              onClick={() => onOpen(file)}
              className="flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-control px-2 py-1 text-left -outline-offset-2 hover:bg-raised pointer-coarse:min-h-11"
            >
              <FileText size={14} aria-hidden className="shrink-0 text-accent" />
              {/* The simulator's file names differ at their end. */}
              <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere" title={file.name}>
                {file.name}
              </span>
              <span className="shrink-0 text-xs text-muted">{formatFileSize(file.size)}</span>
            </button>
          </li>
        ))}
      </ul>
      {offer.unlisted > 0 && (
        <p className="mt-1 px-2 text-xs text-muted">
          {offer.unlisted} more {offer.unlisted === 1 ? 'file is' : 'files are'} not listed.
        </p>
      )}
      <Button size="wide" onClick={onLibrary} className="mt-2">
        Show all in your library
      </Button>
    </Card>
  )
}
