import { Notice } from '#shared/ui/Notice.tsx'
import { ChooseButtons } from './ChooseButtons.tsx'
import type { LibraryStore } from './library-store.ts'

interface WelcomeProps {
  readonly library: LibraryStore
  readonly problem: string | null
}

/** The library before its first folder. */
export function Welcome({ library, problem }: WelcomeProps) {
  return (
    <div className="library-welcome">
      <p>
        Every session you drove, in one list: find last week’s best lap at a track, see your progress, and
        open a session with one press.
      </p>
      <p className="text-muted">
        Your files are read here, in your browser. Nothing is sent unless you press “Save” on an open session.
        iRacing keeps the files in Documents › iRacing › telemetry.
      </p>
      {problem && <Notice message={problem} onDismiss={library.dismissProblem} />}
      <ChooseButtons library={library} isFirst />
    </div>
  )
}
