import type { Readable } from '#shared/store/store.ts'
import type { SettledSave } from './settled-save.ts'
import type { WhoseFileStore } from './whose-file.ts'

interface SaveWhenPossibleDeps {
  /** The file that is loaded; null where there is none, and for the sample session. */
  readonly loaded: Readable<{ readonly id: number; readonly file: File } | null>
  /** Who is signed in. */
  readonly driver: Readable<string | null>
  /** How the saving of the loaded file ended before the page was reloaded; null if it did not. */
  readonly settled: (userId: string) => SettledSave | null
  readonly store: Pick<WhoseFileStore, 'start' | 'resume' | 'stop'>
}

/**
 * Saves the best lap of each file that is loaded while somebody is signed in, also where they sign in
 * after the file was loaded. Another file, another driver, or neither any more ends what goes on.
 * Answers the way to stop.
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
