import { createTabLink } from '@lapwing/identity-client/tab-link'
import { createBriefReader } from '#shared/files/brief-reader.ts'
import { setLibraryKnown } from '#shared/preferences/library-known.ts'
import { after, wait } from '#shared/time/timers.ts'
import { createLibraryStore, type LibraryMessage, type LibraryStore } from './library-store.ts'
import { createStoredIndex } from './stored-index.ts'

/** Most files that are read at the same time. More readers wait for the disk. */
const MAX_READERS = 4

/** Milliseconds between two looks for new files. */
const LOOK_MS = 3_000
/** A look may take this share of the time: listing a large folder costs the browser work. */
const LOOK_SHARE = 0.05

/** Creates the library of this browser, which looks for new files as long as the page is visible. */
export function createBrowserLibrary(): LibraryStore {
  const count = Math.min(MAX_READERS, Math.max(1, navigator.hardwareConcurrency))
  const startWorker = () => new Worker(new URL('./library.worker.ts', import.meta.url), { type: 'module' })
  const library = createLibraryStore({
    index: createStoredIndex(),
    createReaders: () => Array.from({ length: count }, () => createBriefReader(startWorker)),
    tabs: createTabLink<LibraryMessage>({
      name: 'lapwing-library',
      BroadcastChannel: globalThis.BroadcastChannel,
      locks: navigator.locks,
      otherTabs: window,
      delay: ms => wait(after, ms),
    }),
    after,
    nowMs: Date.now,
    onKnown: setLibraryKnown,
  })
  keepLooking(library)
  return library
}

function keepLooking(library: LibraryStore): void {
  let stop = () => {}
  const next = (ms: number) => {
    stop()
    stop = after(ms, look)
  }
  const look = async () => {
    const startMs = performance.now()
    if (document.visibilityState === 'visible') await library.look().catch(() => {})
    next(Math.max(LOOK_MS, (performance.now() - startMs) / LOOK_SHARE))
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') next(0)
  })
  next(LOOK_MS)
}
