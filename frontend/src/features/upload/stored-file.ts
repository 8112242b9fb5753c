import { fieldsOf, flag, optional, orNull, parseJson, text } from '#shared/api/shapes.ts'
import type { KeyValueStore } from '#shared/storage/safe-storage.ts'
import { type After, within } from '#shared/time/timers.ts'

/** A saved lap of a driver. */
export interface StoredLap {
  readonly lapId: string
  /** Its driver: nobody else opens it again. */
  readonly userId: string
  /** JSON of what the page knows of the lap. Its telemetry is fetched again. */
  readonly facts: string
}

/** What is open: a file, a saved lap with its name, or the sample session, which has none of both. */
export type OpenFile = File | 'sample' | (StoredLap & { readonly name: string })

/** Stores the open file of this tab in the browser, so that a reload restores it. */
export interface StoredFile {
  /**
   * Stores what is open now, in place of what was open before; null deletes it. `isUnsaved`: it was opened without
   * saving, and opens so again. Never throws.
   */
  follow(open: OpenFile | null, isUnsaved?: boolean): void
  /** Resolves when all of that is done, or after `LEAVE_WITHIN_MS`. */
  settled(): Promise<void>
  /** Returns the name of what this tab had open before a reload; null if there is nothing to restore. */
  name(): string | null
  /** Returns what `name` names; null if it is gone, too old, or cannot be read within `TAKE_WITHIN_MS`. */
  take(): Promise<OpenFile | null>
  /** Returns whether that was opened without saving. */
  isUnsaved(): boolean
  /** Returns the note beside what is open; null without one. */
  note(): string | null
  /** Stores a note beside what is open, for as long as the file is stored. */
  setNote(note: string | null): void
  /** Deletes the files of all tabs. Resolves as `settled` does. */
  forgetAll(): Promise<void>
  /** Deletes files older than `FILE_LIFETIME_MS`. */
  forgetOld(): void
  /** Call this when the page is left, and when the browser shows the left page again. */
  leave(): void
  comeBack(): void
}

interface StoredFileDeps {
  /** Storage of this tab, so that each tab has its own file. */
  readonly session: KeyValueStore
  /** Stores files, and outlives the page. */
  readonly files: StoredFiles
  readonly newId: () => string
  readonly nowMs: () => number
  readonly after: After
}

/** A store of files by id, as `idb-keyval` has it. */
export interface StoredFiles {
  set(id: string, file: File): Promise<void>
  get(id: string): Promise<File | undefined>
  delete(ids: readonly string[]): Promise<void>
  ids(): Promise<readonly string[]>
}

/** The entry in the tab's storage. */
interface Entry {
  /** Milliseconds of its opening, and a unique part: `1764356000000 6f1c…`. */
  readonly id: string
  readonly name: string
  readonly isSample: boolean
  readonly isUnsaved?: boolean | undefined
  readonly note?: string | null | undefined
  readonly lap?: StoredLap | undefined
}

const isEntry = fieldsOf<Entry>({
  id: text,
  name: text,
  isSample: flag,
  isUnsaved: optional(flag),
  note: optional(orNull(text)),
  lap: optional(fieldsOf<StoredLap>({ lapId: text, userId: text, facts: text })),
})

const KEY = 'lapwing.kept-file'
/** Set while the tab shows another page. A copy of an open tab does not have it. */
const LEFT_KEY = 'lapwing.kept-file.left'

/** Milliseconds after which an open file is deleted. */
export const FILE_LIFETIME_MS = 24 * 60 * 60_000
/** Number of stored files, one a tab; the newest stay. */
export const MAX_STORED = 8
/** Milliseconds that leaving the page waits at most if the browser does not answer. */
const LEAVE_WITHIN_MS = 3_000
/** Milliseconds that opening waits at most. Long, so that a slow machine does not lose the file. */
const TAKE_WITHIN_MS = 15_000

export function createStoredFile({ session, files, newId, nowMs, after }: StoredFileDeps): StoredFile {
  const wasLeft = session.get(LEFT_KEY) !== null
  session.remove(LEFT_KEY)
  /** Runs changes of the store one after another. */
  let queue: Promise<void> = Promise.resolve()
  let stopTimer = () => {}

  const openedMs = (id: string) => Number(id.split(' ')[0])
  // A clock that was set back must not make a file younger.
  const isOld = (id: string) => !(Math.abs(nowMs() - openedMs(id)) < FILE_LIFETIME_MS)
  const newEntryId = (atMs: number) => `${atMs} ${newId()}`

  function enqueue(change: () => Promise<void>): void {
    // If the browser stores nothing or has no room, a reload starts without a file.
    queue = queue.then(change).catch(() => {})
  }

  function read(): Entry | null {
    const entry = parseJson(isEntry, session.get(KEY))
    return entry && !isOld(entry.id) ? entry : null
  }
  const write = (entry: Entry) => session.set(KEY, JSON.stringify(entry))
  const isCurrent = ({ id }: Entry) => read()?.id === id

  function forgetOld(): void {
    if (session.get(KEY) !== null && read() === null) session.remove(KEY)
    enqueue(async () => {
      const old = (await files.ids()).filter(isOld)
      if (old.length > 0) await files.delete(old)
    })
  }

  /** Deletes the old files first: two large files can exceed the browser's quota. */
  async function store(entry: Entry, file: File): Promise<void> {
    if (!isCurrent(entry)) return
    try {
      const newestFirst = [...(await files.ids())].sort((a, b) => openedMs(b) - openedMs(a))
      const gone = newestFirst.filter((id, index) => isOld(id) || index >= MAX_STORED - 1)
      if (gone.length > 0) await files.delete(gone)
      await files.set(entry.id, file)
    } catch (error) {
      if (isCurrent(entry)) session.remove(KEY)
      throw error
    }
    // The file was closed in the meantime.
    if (!isCurrent(entry)) await files.delete([entry.id])
  }

  function storeOpen(open: OpenFile, isUnsaved: boolean): void {
    const isSample = open === 'sample'
    const name = isSample ? 'Sample session' : open.name
    const entry: Entry = { id: newEntryId(nowMs()), name, isSample, isUnsaved }
    if (isSample || open instanceof File) write(entry)
    else write({ ...entry, lap: { lapId: open.lapId, userId: open.userId, facts: open.facts } })
    if (open instanceof File) enqueue(() => store(entry, open))
    stopTimer()
    stopTimer = after(FILE_LIFETIME_MS, forgetOld)
  }

  async function takeFile(entry: Entry): Promise<File | null> {
    const file = (await files.get(entry.id)) ?? null
    if (!isCurrent(entry)) return null
    if (file === null) session.remove(KEY)
    else if (!wasLeft) {
      // The tab can be a copy of an open one. Closing the file in one must not delete it from the other.
      const own = { ...entry, id: newEntryId(openedMs(entry.id)) }
      write(own)
      enqueue(() => store(own, file))
    }
    return file
  }

  return {
    follow(open, isUnsaved = false) {
      const before = read()
      session.remove(KEY)
      if (before && !before.isSample && !before.lap) enqueue(() => files.delete([before.id]))
      if (open !== null) storeOpen(open, isUnsaved)
    },
    settled: () => within(after, LEAVE_WITHIN_MS, queue, undefined),
    name: () => read()?.name ?? null,
    isUnsaved: () => read()?.isUnsaved ?? false,
    async take() {
      const entry = read()
      if (entry === null) return null
      stopTimer()
      stopTimer = after(openedMs(entry.id) + FILE_LIFETIME_MS - nowMs(), forgetOld)
      if (entry.lap) return { ...entry.lap, name: entry.name }
      return entry.isSample ? 'sample' : within(after, TAKE_WITHIN_MS, takeFile(entry), null)
    },
    note: () => read()?.note ?? null,
    setNote(note) {
      const entry = read()
      if (entry) write({ ...entry, note })
    },
    forgetAll() {
      session.remove(KEY)
      enqueue(async () => files.delete(await files.ids()))
      return within(after, LEAVE_WITHIN_MS, queue, undefined)
    },
    forgetOld,
    leave: () => session.set(LEFT_KEY, '1'),
    comeBack: () => session.remove(LEFT_KEY),
  }
}
