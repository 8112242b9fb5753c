import { type RefObject, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useSWRConfig } from 'swr'
import type { AuthTab } from '#features/account/auth-tab.ts'
import { isUsernameKey } from '#features/account/username-key.ts'
import { ParsingOverlay } from '#features/upload/ParsingOverlay.tsx'
import { useFilePicker } from '#features/upload/use-file-picker.tsx'
import { useWindowDrop } from '#features/upload/use-window-drop.ts'
import { isLibraryKnown } from '#shared/preferences/library-known.ts'
import { useStore } from '#shared/store/use-store.ts'
import { LoadProblem } from '#shared/ui/LoadProblem.tsx'
import { lazyDialog } from '#shared/ui/lazy-dialog.tsx'
import { useLazyPart } from '#shared/ui/use-lazy-part.ts'
import { Header } from '../header/Header.tsx'
import { usePageDeps } from '../page-deps.ts'
import { useRunTimeConfig } from '../use-run-time-config.ts'
import { DropHint } from './DropHint.tsx'
import { FirstVisit } from './FirstVisit.tsx'
import { loadLibrary } from './load-library.ts'
import { SessionSkeleton } from './SessionSkeleton.tsx'
import { useCompareHash } from './use-compare-hash.ts'
import { useYourLaps } from './use-your-laps.tsx'

/** The main page: a drop area until a file is read, then its session. */
export function MainScreen() {
  const { upload, account, compare, isLoadingAhead } = usePageDeps()
  const { session: loadedSession, reading, problem, alternative, offer } = useStore(upload)
  // Deferred, so that React renders the session in slices and the page stays responsive.
  const session = useDeferredValue(loadedSession)
  const config = useRunTimeConfig()
  const picker = useFilePicker(upload.choose)
  const isDragging = useWindowDrop(upload.choose)
  const [isAuthOpen, setAuthOpen] = useState(false)
  const [authTab, setAuthTab] = useState<AuthTab>()
  const openAuth = useCallback((tab: AuthTab | undefined) => {
    setAuthTab(tab)
    setAuthOpen(true)
  }, [])
  const signIn = useCallback(() => openAuth(undefined), [openAuth])
  useEffect(
    () =>
      account.session.onExpired(() => {
        account.notify.error('Your session has expired. Please sign in again.')
        // A driver who had a session has an account, so show the log-in tab.
        openAuth('login')
      }),
    [account, openAuth],
  )
  // Another tab can sign in, for example after a reset mail. The dialog's own forms close it themselves.
  const isSending = useRef(false)
  const closeIfSignedIn = useCallback(() => {
    if (account.session.get().status === 'signed-in' && !isSending.current) setAuthOpen(false)
  }, [account])
  useEffect(() => account.session.subscribe(closeIfSignedIn), [account, closeIfSignedIn])
  const { mutate } = useSWRConfig()

  /** Files to add to the library, which is open; null if it is closed. */
  const [libraryFiles, setLibraryFiles] = useState<readonly File[] | null>(null)
  const openLibrary = useCallback(() => setLibraryFiles([]), [])
  useCompareHash()
  const yourLaps = useYourLaps()

  // The code loads while the driver chooses the first file. Not `lazy`, which would show its fallback for a
  // third of a second even with loaded code.
  const isWanted = useStore(isLoadingAhead) || reading !== null || loadedSession !== null
  const { part: SessionView, ...late } = useLazyPart(loadSessionView, isWanted)
  const { part: OfferedFilesCard } = useLazyPart(loadOfferedFiles, offer !== null)
  const offeredFiles = offer && OfferedFilesCard && (
    <OfferedFilesCard
      offer={offer}
      openFile={session?.file ?? null}
      onOpen={upload.openOffered}
      onClose={upload.dismissOffer}
      onLibrary={() => setLibraryFiles(offer.all)}
    />
  )
  const main = useRef<HTMLElement>(null)
  useFocusNotLost(main, session?.id)

  return (
    <div className="flex min-h-dvh flex-col">
      <Header preview={session?.preview} onSignIn={signIn} onYourLaps={yourLaps.open} />
      <main ref={main} tabIndex={-1} className="flex flex-1 flex-col p-3 outline-none">
        <p role="status" className="sr-only">
          {session &&
            `${session.name} ${session.isReopened ? 'opened again' : 'read'}: ${session.preview.laps.length} laps.`}
        </p>
        {picker.input}
        {session ? (
          SessionView ? (
            <SessionView
              key={session.id}
              session={session}
              offeredFiles={offeredFiles}
              onReplace={picker.open}
              onClose={upload.close}
              onSignIn={signIn}
              onYourLaps={yourLaps.open}
              onLibrary={isLibraryKnown() ? openLibrary : null}
            />
          ) : late.isFailed ? (
            <section
              aria-label="Loaded file"
              className="mx-auto mt-10 w-full max-w-lg rounded-card border border-line bg-card p-5"
            >
              <h1 className="mb-3 text-base font-semibold wrap-anywhere">{session.name}</h1>
              <LoadProblem isBusy={late.isLoading} onRetry={late.retry} />
            </section>
          ) : (
            <SessionSkeleton />
          )
        ) : reading?.isReopened ? (
          <SessionSkeleton />
        ) : (
          <FirstVisit
            offeredFiles={offeredFiles}
            recentLaps={yourLaps.recent}
            isLit={isDragging}
            problem={problem}
            alternative={alternative}
            readBy={config?.preview ?? null}
            onBrowse={picker.open}
            onSample={upload.trySample}
            onLibrary={openLibrary}
            onDismissProblem={upload.dismissProblem}
            onSignIn={signIn}
          />
        )}
      </main>
      {session && isDragging && <DropHint />}
      {yourLaps.dialog}
      <YourLibrary
        open={libraryFiles !== null}
        files={libraryFiles}
        loadChart={importSessionView}
        onOpenChange={() => setLibraryFiles(null)}
      />
      <ParsingOverlay reading={reading} onCancel={upload.cancel} />
      <AuthDialog
        account={account}
        open={isAuthOpen}
        tab={authTab}
        onOpenChange={open => {
          setAuthOpen(open)
          if (!open) compare.cancelRequest()
        }}
        isAvailable={config === null || config.identity !== null}
        onBusy={isBusy => {
          isSending.current = isBusy
          closeIfSignedIn()
        }}
        // The header may have fetched the name before it was saved.
        onSignedIn={() => void mutate(isUsernameKey)}
      />
    </div>
  )
}

const AuthDialog = lazyDialog(
  'Sign in',
  async () => (await import('#features/account/AuthDialog.tsx')).AuthDialog,
)

const YourLibrary = lazyDialog('Your telemetry library', async () => (await loadLibrary()).YourLibrary)

const loadOfferedFiles = async () => (await import('#features/upload/OfferedFilesCard.tsx')).OfferedFilesCard

const importSessionView = () => import('./SessionView.tsx')

const loadSessionView = async () => (await importSessionView()).SessionView

/** Keeps the focus on the page when a session loads or closes and the pressed button is gone. */
function useFocusNotLost(main: RefObject<HTMLElement | null>, sessionId: number | undefined) {
  const last = useRef(sessionId)
  useEffect(() => {
    if (last.current === sessionId) return
    last.current = sessionId
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [main, sessionId])
}
