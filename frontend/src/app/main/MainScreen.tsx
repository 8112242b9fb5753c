import {
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { toast } from 'sonner'
import type { AuthTab } from '#features/account/auth-tab.ts'
import { ParsingOverlay } from '#features/upload/ParsingOverlay.tsx'
import { useFilePicker } from '#features/upload/use-file-picker.tsx'
import { useWindowDrop } from '#features/upload/use-window-drop.ts'
import { Header } from '../header/Header.tsx'
import { usePageDeps } from '../page-deps.ts'
import { useRunTimeConfig } from '../use-run-time-config.ts'
import { DropHint } from './DropHint.tsx'
import { FirstVisit } from './FirstVisit.tsx'
import { SessionSkeleton } from './SessionSkeleton.tsx'
import { useCompareHash } from './use-compare-hash.ts'
import { useYourLaps } from './use-your-laps.tsx'

/** The page itself: a drop area until a file is read, then its session. */
export function MainScreen() {
  const { upload, account, compare } = usePageDeps()
  const { session: loadedSession, reading, problem } = useSyncExternalStore(upload.subscribe, upload.get)
  // Deferred, so that React draws the session in slices and the page keeps answering meanwhile.
  const session = useDeferredValue(loadedSession)
  const config = useRunTimeConfig()
  const picker = useFilePicker(upload.choose)
  const isDragging = useWindowDrop(upload.choose)
  const [isAuthOpen, setAuthOpen] = useState(false)
  // Its code comes when it is first opened, and then stays.
  const [wasAuthOpen, setWasAuthOpen] = useState(false)
  const [authTab, setAuthTab] = useState<AuthTab>()
  const openAuth = useCallback((tab: AuthTab | undefined) => {
    setAuthTab(tab)
    setWasAuthOpen(true)
    setAuthOpen(true)
  }, [])
  const signIn = useCallback(() => openAuth(undefined), [openAuth])
  useEffect(
    () =>
      account.session.onExpired(() => {
        toast.error('Your session has expired. Please sign in again.')
        // Whoever had a session has an account, however they came to it.
        openAuth('login')
      }),
    [account, openAuth],
  )
  // Also where another tab signed in, as the link of a reset mail does.
  useEffect(
    () =>
      account.session.subscribe(() => {
        if (account.session.get().status === 'signed-in') setAuthOpen(false)
      }),
    [account],
  )

  useCompareHash()
  const yourLaps = useYourLaps()

  const sessionView = useSessionView()
  if (session && sessionView instanceof Error) throw sessionView
  const SessionView = sessionView instanceof Error ? null : sessionView
  const main = useRef<HTMLElement>(null)
  useFocusNotLost(main, session?.id)

  return (
    <div className="flex min-h-dvh flex-col">
      <Header preview={session?.preview} onSignIn={signIn} onYourLaps={yourLaps.open} />
      <main ref={main} tabIndex={-1} className="flex flex-1 flex-col p-3 outline-none">
        <p role="status" className="sr-only">
          {session && `${session.name} read: ${session.preview.laps.length} laps.`}
        </p>
        {picker.input}
        {session ? (
          SessionView ? (
            <SessionView
              key={session.id}
              session={session}
              onReplace={picker.open}
              onClose={upload.close}
              onSignIn={signIn}
              onYourLaps={yourLaps.open}
            />
          ) : (
            <SessionSkeleton />
          )
        ) : (
          <FirstVisit
            isLit={isDragging}
            problem={problem}
            readBy={config?.preview ?? null}
            onBrowse={picker.open}
            onSample={upload.trySample}
            onDismissProblem={upload.dismissProblem}
            onSignIn={signIn}
          />
        )}
      </main>
      {session && isDragging && <DropHint />}
      {yourLaps.dialog}
      <ParsingOverlay reading={reading} onCancel={upload.cancel} />
      {wasAuthOpen && (
        <Suspense>
          <AuthDialog
            account={account}
            open={isAuthOpen}
            tab={authTab}
            onOpenChange={open => {
              setAuthOpen(open)
              if (!open) compare.dropWish()
            }}
            isAvailable={config === null || config.identity !== null}
          />
        </Suspense>
      )}
    </div>
  )
}

const AuthDialog = lazy(async () => ({
  default: (await import('#features/account/AuthDialog.tsx')).AuthDialog,
}))

type SessionViewComponent = typeof import('./SessionView.tsx').SessionView

/**
 * The view of a session, whose code comes while the first file is still being looked for: null until
 * it is here, an error where it cannot be had. Not `lazy`, which would show its fallback for a third
 * of a second even when the code came long ago.
 */
function useSessionView(): SessionViewComponent | Error | null {
  const [view, setView] = useState<{ readonly loaded: SessionViewComponent | Error } | null>(null)
  useEffect(() => {
    import('./SessionView.tsx').then(
      ({ SessionView }) => setView({ loaded: SessionView }),
      (error: unknown) => setView({ loaded: error instanceof Error ? error : new Error(String(error)) }),
    )
  }, [])
  return view?.loaded ?? null
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
