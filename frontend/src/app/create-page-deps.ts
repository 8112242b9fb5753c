import { userIdOf } from '@lapwing/identity-client/session-keeper'
import { delMany, get, keys, set } from 'idb-keyval'
import { createAccount } from '#features/account/create-account.ts'
import { createCompareStore } from '#features/compare/compare-store.ts'
import { createFetchReference } from '#features/compare/fetch-reference.ts'
import { whyPartial } from '#features/laps/lap-order.ts'
import { createFileReader } from '#features/upload/file-reader.ts'
import type { ParseResult, ParseTask } from '#features/upload/parse-protocol.ts'
import { createStoredFile } from '#features/upload/stored-file.ts'
import {
  createUploadStore,
  type Reopened,
  type Session,
  type UploadStore,
} from '#features/upload/upload-store.ts'
import { isTooLarge } from '#features/upload/validate-file.ts'
import { newRequestId } from '#shared/api/request-id.ts'
import { combinationOf } from '#shared/boards/combination.ts'
import { identityConfig, type RunTimeConfig } from '#shared/config/run-time-config.ts'
import { createReaderClient, type WorkerLike } from '#shared/files/reader-client.ts'
import { loadToaster, toasts } from '#shared/notify/toasts.ts'
import { sessionStore } from '#shared/storage/session-store.ts'
import { createStore } from '#shared/store/store.ts'
import { loadAhead } from '#shared/time/load-ahead.ts'
import { after, nowMs } from '#shared/time/timers.ts'
import { createBoardDeps } from './create-board-deps.ts'
import type { PageDeps } from './page-deps.ts'

/** Creates everything that the page needs; the code below gets it as arguments. */
export function createPageDeps(loadConfig: (timeoutMs?: number) => Promise<RunTimeConfig>): PageDeps {
  const config = loadConfig()
  const parse = createReaderClient({
    spawn: () =>
      new Worker(new URL('../features/upload/parse.worker.ts', import.meta.url), {
        type: 'module',
      }) as WorkerLike<ParseTask, ParseResult>,
    after,
  })
  const isLoadingAhead = createStore(false)
  loadAhead({ target: window, after, savesData: savesData() }, () => {
    isLoadingAhead.set(true)
    parse.warmUp()
    void loadToaster()
  })

  const reader = createFileReader({
    parse,
    config: () => config,
    // The code of this rare case loads on demand.
    async postFromPage(file, signal) {
      const { decodePreview } = await import('@lapwing/telemetry/wire')
      const { previewOverHttp } = await import('#features/upload/preview-over-http.ts')
      const deps = { fetch: globalThis.fetch.bind(globalThis), newRequestId, decode: decodePreview, signal }
      return { preview: await previewOverHttp(file, file.name, deps), sizeBytes: file.size }
    },
  })

  const storedFile = createStoredFile({
    session: sessionStore,
    files: { set, get, delete: ids => delMany([...ids]), ids: keys },
    newId: newRequestId,
    nowMs: Date.now,
    after,
  })
  addEventListener('pagehide', storedFile.leave)
  addEventListener('pageshow', storedFile.comeBack)
  // A phone can end a hidden page without another event.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') storedFile.leave()
    else storedFile.comeBack()
  })

  const { account, authorised } = createAccount({
    window,
    config: identityConfig(config, loadConfig),
    notify: toasts,
    keepOpen: storedFile.settled,
    forgetOpen: storedFile.forgetAll,
  })
  const signedIn = { baseUrl: `${location.origin}/api`, authorised }
  account.session.start()

  const upload = createUploadStore({ reader, nowMs, after, notify: toasts, whyPartial })
  followSession(upload, session => {
    if (session?.isReopened) return
    const userId = userIdOf(account.session.get())
    const { file, savedLap, name } = session ?? {}
    if (savedLap) storedFile.follow(userId === null ? null : { ...savedLap, userId, name: name! })
    // A copy of a file that is too large could take all of the browser's store.
    else if (session === null || (file && isTooLarge(file))) storedFile.follow(null)
    else storedFile.follow(file ?? 'sample', session.isUnsaved)
  })
  const ownLaps: PageDeps['ownLaps'] = new Map()
  const fetchSaved = createFetchReference({
    ...signedIn,
    // The code loads when the first lap is requested.
    decode: async bytes => (await import('@lapwing/telemetry/compare')).decodeReference(bytes),
  })
  const fetchReference = (lapId: string) => ownLaps.get(lapId)?.() ?? fetchSaved(lapId)
  const findOpen = async (): Promise<Reopened | null> => {
    const open = await storedFile.take()
    if (open === null || open === 'sample' || open instanceof File) return open
    if (open.userId !== userIdOf(account.session.get())) return null
    const load = async () => {
      const { readStoredLap } = await import('#features/my-laps/read-saved-lap.ts')
      return readStoredLap(open.facts, fetchReference)
    }
    return { ...open, load }
  }
  const storedName = storedFile.name()
  if (storedName !== null) {
    void upload.reopen(storedName, storedFile.isUnsaved(), findOpen).then(isOpen => {
      if (!isOpen && upload.get().session === null) storedFile.follow(null)
    })
  }
  requestWhenIdle(storedFile.forgetOld)

  const compare = createCompareStore({
    session: account.session,
    fetchReference,
    wantCompare: account.returnFlags.wantCompare,
    notify: toasts,
  })
  followSession(upload, session => compare.setSession(session && combinationOf(session.preview.meta)))

  // A saved lap is its driver's alone. The same driver can sign in again without losing it.
  let lastDriver = userIdOf(account.session.get())
  account.session.subscribe(() => {
    const driver = userIdOf(account.session.get())
    if (driver === null || driver === lastDriver) return
    if (lastDriver !== null) upload.forgetLap()
    lastDriver = driver
  })

  const boardDeps = createBoardDeps({
    session: account.session,
    signedIn,
    upload,
    note: { get: storedFile.note, set: storedFile.setNote },
  })
  return { config, account, signedIn, upload, compare, ownLaps, fetchReference, isLoadingAhead, ...boardDeps }
}

/** Calls back with each session that loads, and with null when it is closed. */
function followSession(upload: UploadStore, onChange: (session: Session | null) => void) {
  let shown = upload.get().session
  upload.subscribe(() => {
    const { session } = upload.get()
    if (session === shown) return
    shown = session
    onChange(session)
  })
}

function savesData(): boolean {
  // Only Chromium has it.
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}

function requestWhenIdle(work: () => void) {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 1000 })
  else setTimeout(work, 200)
}
