import type { Readable } from '#shared/store/store.ts'
import type { FileOwnerStore } from './file-owner.ts'
import type { SettledSave } from './settled-save.ts'

/** What a driver chose to send of the loaded file: its best lap, or all of a file that was opened without saving. */
export interface FileToSend {
  /** The loaded file and its session. */
  readonly sessionId: number
  readonly of: File
  /** Only this driver sends it. */
  readonly userId: string
  /** The best lap as a file of its own, or `of`. */
  readonly file: File
}

/** Returns a choice if a driver made it for a session; null otherwise. */
export function choiceOf(
  choice: FileToSend | null,
  sessionId: number | undefined,
  userId: string | null,
): FileToSend | null {
  return choice !== null && choice.sessionId === sessionId && choice.userId === userId ? choice : null
}

/** Returns whether the best lap alone was chosen. */
export function isLapAlone(choice: FileToSend | null): boolean {
  return choice !== null && choice.file !== choice.of
}

interface SaveWhenPossibleDeps {
  /** The loaded file by its session; null without one, for the sample session, and if it has nothing to save. */
  readonly loaded: Readable<LoadedFile | null>
  readonly chosen: Readable<FileToSend | null>
  /** The id of the signed-in driver; null without one. */
  readonly driver: Readable<string | null>
  /** Returns how the save ended before the page was reloaded; null if it had not ended. */
  readonly settled: (userId: string) => SettledSave | null
  readonly store: Pick<FileOwnerStore, 'start' | 'resume' | 'stop'>
}

interface LoadedFile {
  readonly id: number
  readonly file: File
  /** Only what the driver chooses is sent. */
  readonly isUnsaved: boolean
}

/**
 * Saves the best lap of each file that loads while a driver is signed in, or that is loaded when a driver
 * signs in. Of a file that was opened without saving, it sends only what the driver chooses. A new file or driver ends
 * the running save, and so do closing the file and signing out. Returns the function that stops it.
 */
export function saveWhenPossible(deps: SaveWhenPossibleDeps): () => void {
  const { loaded, chosen, driver, settled, store } = deps
  let current: string | null = null
  const check = () => {
    const session = loaded.get()
    const userId = driver.get()
    const choice = session && choiceOf(chosen.get(), session.id, userId)
    const part = choice && (isLapAlone(choice) ? 'lap' : 'all')
    const next = session && userId !== null ? `${session.id} ${userId} ${part}` : null
    if (next === current) return
    current = next
    if (!session || userId === null) return store.stop()
    if (choice) return store.start(choice.file)
    const before = settled(userId)
    // To resume a cancelled save would offer to send the whole file.
    if (before && (before.kind === 'skipped' || !session.isUnsaved)) store.resume(session.file, before)
    else if (session.isUnsaved) store.stop()
    else store.start(session.file)
  }
  const stops = [loaded, chosen, driver].map(each => each.subscribe(check))
  check()
  return () => {
    for (const stop of stops) stop()
  }
}
