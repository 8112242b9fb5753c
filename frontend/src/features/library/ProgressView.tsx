import type { LibraryEntry, ReadEntry } from './library-entry.ts'

interface ProgressViewProps {
  readonly entries: readonly LibraryEntry[]
  readonly onOpen: (entry: ReadEntry) => void
}

export function ProgressView(_: ProgressViewProps) {
  return null
}
