import type { Readable } from '#shared/store/store.ts'
import type { FileOwnerStore } from './file-owner.ts'
import type { SettledSave } from './settled-save.ts'

/** The best lap of the loaded file, which is sent in place of the whole file. */
export interface LapToSend {
  /** The loaded file and its session. */
  readonly sessionId: number
  readonly of: File
  readonly lap: File
}

interface SaveWhenPossibleDeps {
  /** What to save of the loaded file, by an id; null without one, and for the sample session. */
  readonly loaded: Readable<{ readonly id: number | string; readonly file: File } | null>
  /** The id of the signed-in driver; null without one. */
  readonly driver: Readable<string | null>
  /** Returns how the save ended before the page was reloaded; null if it had not ended. */
  readonly settled: (userId: string) => SettledSave | null
  readonly store: Pick<FileOwnerStore, 'start' | 'resume' | 'stop'>
}

/**
 * Saves the best lap of each file that loads while a driver is signed in, or that is loaded when a driver
 * signs in. A new file or driver ends the running save, and so do closing the file and signing out. Returns
 * the function that stops it.
 */
export function saveWhenPossible({ loaded, driver, settled, store }: SaveWhenPossibleDeps): () => void {
  let current: string | null = null
  const check = () => {
    const session = loaded.get()
    const userId = driver.get()
    const next = session && userId !== null ? `${session.id} ${userId}` : null
    if (next === current) return
    current = next
    if (!session || userId === null) return store.stop()
    const before = settled(userId)
    if (before) store.resume(session.file, before)
    else store.start(session.file)
  }
  const stops = [loaded.subscribe(check), driver.subscribe(check)]
  check()
  return () => {
    for (const stop of stops) stop()
  }
}
