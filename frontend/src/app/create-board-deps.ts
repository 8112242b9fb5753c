import { userIdOf } from '@lapwing/identity-client/session-keeper'
import { mutate } from 'swr'
import type { Account } from '#features/account/account.ts'
import { createBoards } from '#features/leaderboard/boards.ts'
import { createDriverNumberApi } from '#features/save-lap/driver-number-api.ts'
import { createFileOwnerStore } from '#features/save-lap/file-owner.ts'
import { createPostToStore } from '#features/save-lap/post-to-store.ts'
import { createSaveLapApi, INGEST_TIMEOUT_MS } from '#features/save-lap/save-lap-api.ts'
import { createSaveLapStore } from '#features/save-lap/save-lap-store.ts'
import {
  choiceOf,
  type FileToSend,
  isLapAlone,
  saveWhenPossible,
} from '#features/save-lap/save-when-possible.ts'
import { formatSettledSave, parseSettledSave } from '#features/save-lap/settled-save.ts'
import type { UploadStore } from '#features/upload/upload-store.ts'
import type { SignedInDeps } from '#shared/api/api-client.ts'
import { createApiFetch } from '#shared/api/api-fetch.ts'
import { newRequestId } from '#shared/api/request-id.ts'
import { hasFileChanged } from '#shared/files/file-changes.ts'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import { toasts } from '#shared/notify/toasts.ts'
import { createAuthorisedFetch } from '#shared/session/authorised-fetch.ts'
import { createStore } from '#shared/store/store.ts'
import { after, nowMs } from '#shared/time/timers.ts'
import type { PageDeps } from './page-deps.ts'

interface BoardEnvironment {
  readonly session: Account['session']
  readonly signedIn: SignedInDeps
  readonly upload: UploadStore
  /** A text beside the open file that outlives a reload. */
  readonly note: { get(): string | null; set(note: string | null): void }
}

/** Creates the boards, and the stores that save laps. */
export function createBoardDeps(
  env: BoardEnvironment,
): Pick<PageDeps, 'boards' | 'saveLap' | 'fileOwner' | 'fileToSend'> {
  const { session, signedIn, upload, note } = env
  const boards = createBoards({ ...signedIn, nowMs, after, revalidate: mutate })

  const slowFetch = createApiFetch({
    fetch: globalThis.fetch.bind(globalThis),
    newRequestId,
    timeoutMs: INGEST_TIMEOUT_MS,
  })
  const fileToSend = createStore<FileToSend | null>(null)
  const saveLap = createSaveLapStore({
    api: createSaveLapApi({
      ...signedIn,
      slowAuthorised: createAuthorisedFetch({ fetch: slowFetch, session }),
    }),
    post: createPostToStore({ newRequest: () => new XMLHttpRequest(), after }),
    notify: toasts,
    // A lap consists of slices of its file, which alone shows that it changed.
    hasChanged: file => {
      const chosen = fileToSend.get()
      return hasFileChanged(file === chosen?.file ? chosen.of : file)
    },
    nowMs,
    after,
    onJudged: boards.refresh,
  })
  const userId = () => userIdOf(session.get())
  saveLap.subscribe(() => {
    const { phase } = saveLap.get()
    const driver = userId()
    if (driver === null || phase.kind === 'idle') return
    const choice = choiceOf(fileToSend.get(), upload.get().session?.id, driver)
    note.set(formatSettledSave(driver, phase, isLapAlone(choice)))
  })
  const fileOwner = createFileOwnerStore({
    save: saveLap,
    api: createDriverNumberApi(signedIn),
    // The reader's code loads with the first file that is saved.
    async readNumber(file) {
      const { readDriverNumber } = await import('#features/save-lap/read-driver-number.ts')
      return readDriverNumber(file)
    },
    notify: toasts,
  })
  saveWhenPossible({
    loaded: {
      subscribe: upload.subscribe,
      get() {
        const loaded = upload.get().session
        // Nothing of a file with partial laps only could be saved.
        if (!loaded?.file || !loaded.preview.laps.some(isTimedLap)) return null
        return { ...loaded, file: loaded.file }
      },
    },
    chosen: fileToSend,
    driver: { subscribe: session.subscribe, get: userId },
    settled: of => parseSettledSave(note.get(), of),
    store: fileOwner,
  })
  return { boards, saveLap, fileOwner, fileToSend }
}
