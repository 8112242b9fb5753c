import { FolderOpen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '#shared/format/count.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { ChooseButtons } from './ChooseButtons.tsx'
import type { LibraryState, LibraryStore } from './library-store.ts'

interface FolderBarProps {
  readonly library: LibraryStore
  /** Why the last session was not opened. */
  readonly problem: string | null
  readonly onDismiss: () => void
}

/** The folder, what is being read of it, and what the driver can do with it. */
export function FolderBar({ library, problem, onDismiss }: FolderBarProps) {
  const state = useStore(library)
  const { folder, work } = state
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="library-bar">
      <div className="library-folder">
        <p className="min-w-0">
          <FolderOpen size={14} aria-hidden className="mr-1.5 inline-block align-[-2px] text-muted" />
          <span className="font-semibold wrap-anywhere">{folder?.name ?? 'Chosen files'}</span>{' '}
          <span role="status" className="text-muted">
            {statusOf(state)}
          </span>
        </p>
        <div className="library-actions">
          {folder && !folder.isReadable && (
            <Button variant="primary" onClick={() => void library.allowFolder()}>
              Read the folder again
            </Button>
          )}
          <ChooseButtons library={library} isFirst={false} />
          <Button variant="ghost" onClick={() => setAsking(true)}>
            <Trash2 size={14} aria-hidden />
            Forget all
          </Button>
        </div>
      </div>
      {work && (
        <progress
          className="library-progress"
          aria-label="Files read"
          value={work.done}
          max={Math.max(1, work.total)}
        />
      )}
      {isAsking && (
        <div className="library-folder" role="alertdialog" aria-label="Forget all">
          <p>The list and the folder are forgotten. Your files stay where they are.</p>
          <div className="library-actions">
            <Button autoFocus onClick={() => setAsking(false)}>
              Keep
            </Button>
            <Button variant="danger" onClick={() => void library.forgetAll()}>
              Forget all
            </Button>
          </div>
        </div>
      )}
      {problem !== null && <Notice message={problem} onDismiss={onDismiss} />}
      {state.problem !== null && <Notice message={state.problem} onDismiss={library.dismissProblem} />}
      {state.isUnsaved && (
        <p className="text-warning">
          The browser has no room for this list, or does not allow it. It stays until you close the page.
        </p>
      )}
    </div>
  )
}

function statusOf({ entries, folder, work, isWaiting, growing }: LibraryState): string {
  const files = `${formatCount(entries.length)} ${entries.length === 1 ? 'file' : 'files'}`
  if (isWaiting) return `${files} · another tab is reading the folder`
  if (work) return `reading ${formatCount(Math.min(work.done + 1, work.total))} of ${formatCount(work.total)}`
  if (growing > 0) return `${files} · ${growing} more still being written`
  if (folder && !folder.isReadable) return `${files} · as of your last visit`
  return files
}
