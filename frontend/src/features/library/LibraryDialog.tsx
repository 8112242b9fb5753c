import '#shared/ui/dialog-frame.css'
import './library.css'
import { useEffect, useState } from 'react'
import { useStore } from '#shared/store/use-store.ts'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { SegmentedControl } from '#shared/ui/SegmentedControl.tsx'
import { FolderBar } from './FolderBar.tsx'
import type { LibraryActions } from './library-actions.ts'
import type { LibraryStore } from './library-store.ts'
import { ProgressView } from './ProgressView.tsx'
import { SessionList } from './SessionList.tsx'
import { Welcome } from './Welcome.tsx'

interface LibraryDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly library: LibraryStore
  readonly actions: LibraryActions
}

/** All sessions of the driver's telemetry folder, and the progress that they show. */
export function LibraryDialog({ open, onOpenChange, library, actions }: LibraryDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Your telemetry library"
      width="library-dialog"
      focusDialog
      ownScroll
      fromTop
    >
      <Library library={library} actions={actions} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface LibraryProps extends Pick<LibraryDialogProps, 'library' | 'actions'> {
  readonly onDone: () => void
}

function Library({ library, actions, onDone }: LibraryProps) {
  const state = useStore(library)
  const [view, setView] = useState<'sessions' | 'progress'>('sessions')
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => void library.open(), [library])
  const act = async (action: () => Promise<string | null>) => {
    const failed = await action()
    setProblem(failed)
    if (failed === null) onDone()
  }
  const { isLoaded, entries, folder, work } = state
  const isEmpty = entries.length === 0 && folder === null && work === null
  return (
    <div className="dialog-frame library" tabIndex={-1} aria-busy={!isLoaded}>
      {isLoaded && isEmpty && <Welcome library={library} problem={state.problem} />}
      {isLoaded && !isEmpty && (
        <>
          <FolderBar library={library} problem={problem} onDismiss={() => setProblem(null)} />
          {entries.length > 0 && (
            <>
              <SegmentedControl
                label="View"
                value={view}
                onValueChange={setView}
                segments={[
                  { value: 'sessions', label: 'Sessions' },
                  { value: 'progress', label: 'Progress' },
                ]}
              />
              {view === 'sessions' ? (
                <SessionList
                  entries={entries}
                  actions={actions}
                  onOpen={entry => void act(() => actions.open(entry))}
                  onReference={(entry, lap) => void act(() => actions.useAsReference(entry, lap))}
                />
              ) : (
                <ProgressView
                  loadChart={actions.loadChart}
                  entries={entries}
                  onOpen={entry => void act(() => actions.open(entry))}
                />
              )}
            </>
          )}
        </>
      )}
    </div>
  )
}
