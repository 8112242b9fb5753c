import { lazy, type RefObject, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { AuthDialog } from '#features/account/AuthDialog.tsx'
import { ParsingOverlay } from '#features/upload/ParsingOverlay.tsx'
import { useFilePicker } from '#features/upload/use-file-picker.tsx'
import { useWindowDrop } from '#features/upload/use-window-drop.ts'
import { Header } from '../header/Header.tsx'
import { usePageDeps } from '../page-deps.ts'
import { DropHint } from './DropHint.tsx'
import { FirstVisit } from './FirstVisit.tsx'
import { SessionSkeleton } from './SessionSkeleton.tsx'

const loadSessionView = () => import('./SessionView.tsx')
const SessionView = lazy(async () => ({ default: (await loadSessionView()).SessionView }))

/** The page itself: a drop area until a file is read, then its session. */
export function MainScreen() {
  const { upload } = usePageDeps()
  const { session, reading, problem } = useSyncExternalStore(upload.subscribe, upload.get)
  const picker = useFilePicker(upload.choose)
  const isDragging = useWindowDrop(upload.choose)
  const [isAuthOpen, setAuthOpen] = useState(false)
  const signIn = () => setAuthOpen(true)

  // The views' code comes while the first file is still being looked for.
  useEffect(() => void loadSessionView().catch(() => {}), [])

  const main = useRef<HTMLElement>(null)
  useFocusNotLost(main, session?.id)

  return (
    <div className="flex min-h-dvh flex-col">
      <Header preview={session?.preview} onSignIn={signIn} />
      <main ref={main} tabIndex={-1} className="flex flex-1 flex-col p-3 outline-none">
        <p role="status" className="sr-only">
          {session && `${session.name} read: ${session.preview.laps.length} laps.`}
        </p>
        {picker.input}
        {session ? (
          <Suspense fallback={<SessionSkeleton />}>
            <SessionView
              key={session.id}
              session={session}
              onReplace={picker.open}
              onClose={upload.close}
              onSignIn={signIn}
            />
          </Suspense>
        ) : (
          <FirstVisit
            isLit={isDragging}
            problem={problem}
            isBusy={reading !== null}
            onBrowse={picker.open}
            onSample={upload.trySample}
            onDismissProblem={upload.dismissProblem}
            onSignIn={signIn}
          />
        )}
      </main>
      {session && isDragging && <DropHint />}
      <ParsingOverlay reading={reading} onCancel={upload.cancel} />
      <AuthDialog open={isAuthOpen} onOpenChange={setAuthOpen} />
    </div>
  )
}

/** The button that loaded or closed a session is gone with it; without this the focus would start over at the page's top. */
function useFocusNotLost(main: RefObject<HTMLElement | null>, sessionId: number | undefined) {
  const last = useRef(sessionId)
  useEffect(() => {
    if (last.current === sessionId) return
    last.current = sessionId
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [main, sessionId])
}
