import { clear, createStore, del, get, getMany, keys, set, setMany } from 'idb-keyval'
import type { Folder } from './folder.ts'
import { INDEX_VERSION, type LibraryEntry } from './library-entry.ts'

/** Stores the library for later visits. Each method rejects if the browser denies its store or has no room. */
export interface StoredIndex {
  /** Passes on all entries of this version in batches, so that no task of the page is long. */
  read(onBatch: (entries: readonly LibraryEntry[]) => void): Promise<void>
  write(entries: readonly LibraryEntry[]): Promise<void>
  readFolder(): Promise<Folder | null>
  writeFolder(folder: Folder): Promise<void>
  /** Deletes the entries and the folder. */
  clear(): Promise<void>
}

/** Deserialising this many entries takes a few milliseconds. */
const BATCH = 200

const FOLDER = 'folder'

/** Creates an index in IndexedDB. `idb-keyval` allows one table a database, so there are two. */
export function createStoredIndex(): StoredIndex {
  const sessions = createStore('lapwing-library', 'sessions')
  const folders = createStore('lapwing-library-folder', 'folder')
  return {
    async read(onBatch) {
      const paths = await keys<string>(sessions)
      for (let i = 0; i < paths.length; i += BATCH) {
        const entries = await getMany<LibraryEntry>(paths.slice(i, i + BATCH), sessions)
        onBatch(entries.filter(entry => entry?.version === INDEX_VERSION) as LibraryEntry[])
      }
    },
    write: entries =>
      setMany(
        entries.map(entry => [entry.path, entry]),
        sessions,
      ),
    readFolder: async () => (await get<Folder>(FOLDER, folders)) ?? null,
    writeFolder: folder => set(FOLDER, folder, folders),
    async clear() {
      await clear(sessions)
      await del(FOLDER, folders)
    },
  }
}
