import { fieldsOf, flag, optional, orNull, parseJson, text } from '#shared/api/shapes.ts'
import type { KeyValueStore } from '#shared/storage/safe-storage.ts'
import { type After, within } from '#shared/time/timers.ts'

/** What is open: a file, or the sample session, which has none. */
export type OpenFile = File | 'sample'

/** Keeps the open file of this tab in the browser, so that a reload brings it back. Nothing leaves the browser. */
export interface KeptFile {
  /** Keeps what is open now, in place of what was open before; null forgets it. Never throws. */
  follow(open: OpenFile | null): void
  /** Resolves when all of that is done, or after `LEAVE_WITHIN_MS`. */
  settled(): Promise<void>
  /** Returns the name of what this tab had open when it was left; null if there is nothing to take. */
  name(): string | null
  /** Returns what `name` names; null if it is gone, too old, or cannot be read within `TAKE_WITHIN_MS`. */
  take(): Promise<OpenFile | null>
  /** Returns the text noted beside what is open; null if there is none. */
  note(): string | null
  /** Notes a text beside what is open, for as long as that is kept. */
  setNote(note: string | null): void
  /** Forgets the files of all tabs. Resolves as `settled` does. */
  forgetAll(): Promise<void>
  /** Forgets files older than `KEPT_MS`. */
  forgetOld(): void
  /** To be called when the page is left, and when the browser shows the left page again. */
  leave(): void
  comeBack(): void
}

interface KeptFileDeps {
  /** Of the tab: each tab has a file of its own. */
  readonly session: KeyValueStore
  /** Holds files, and outlives the page. */
  readonly files: KeptFiles
  readonly newId: () => string
  readonly nowMs: () => number
  readonly after: After
}

/** A store of files by id, as `idb-keyval` has it. */
export interface KeptFiles {
  set(id: string, file: File): Promise<void>
  get(id: string): Promise<File | undefined>
  delete(ids: readonly string[]): Promise<void>
  ids(): Promise<readonly string[]>
}

/** What the tab remembers. */
interface Entry {
  /** When it was opened, in milliseconds, and what tells it from others: `1764356000000 6f1c…`. */
  readonly id: string
  readonly name: string
  readonly isSample: boolean
  readonly note?: string | null | undefined
}

const isEntry = fieldsOf<Entry>({ id: text, name: text, isSample: flag, note: optional(orNull(text)) })

const KEY = 'lapwing.kept-file'
/** Present while the tab shows another page. A copy of a tab that is still open does not have it. */
const LEFT_KEY = 'lapwing.kept-file.left'

/** Milliseconds after which an open file is forgotten. */
export const KEPT_MS = 24 * 60 * 60_000
/** Files of at most so many tabs are kept; the newest stay. */
export const MAX_KEPT = 8
/** Milliseconds that leaving the page waits at most for a browser that does not answer. */
const LEAVE_WITHIN_MS = 3_000
/** Milliseconds that opening waits at most: a slow machine must not cost the file. */
const TAKE_WITHIN_MS = 15_000

export function createKeptFile({ session, files, newId, nowMs, after }: KeptFileDeps): KeptFile {
  const wasLeft = session.get(LEFT_KEY) !== null
  session.remove(LEFT_KEY)
  /** One change of the store at a time, in their order. */
  let queue: Promise<void> = Promise.resolve()
  let stopTimer = () => {}

  const openedMs = (id: string) => Number(id.split(' ')[0])
  // A clock that was set back makes a file no older.
  const isOld = (id: string) => !(Math.abs(nowMs() - openedMs(id)) < KEPT_MS)
  const newEntryId = (atMs: number) => `${atMs} ${newId()}`

  function enqueue(change: () => Promise<void>): void {
    // A browser that stores nothing, or has no room: a reload then starts without a file.
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

  /** Makes room first: two large files may be more than the browser grants. */
  async function store(entry: Entry, file: File): Promise<void> {
    if (!isCurrent(entry)) return
    try {
      const newestFirst = [...(await files.ids())].sort((a, b) => openedMs(b) - openedMs(a))
      const gone = newestFirst.filter((id, index) => isOld(id) || index >= MAX_KEPT - 1)
      if (gone.length > 0) await files.delete(gone)
      await files.set(entry.id, file)
    } catch (error) {
      if (isCurrent(entry)) session.remove(KEY)
      throw error
    }
    // Closed meanwhile.
    if (!isCurrent(entry)) await files.delete([entry.id])
  }

  function keep(open: OpenFile): void {
    const isSample = open === 'sample'
    const entry: Entry = {
      id: newEntryId(nowMs()),
      name: isSample ? 'Sample session' : open.name,
      isSample,
    }
    write(entry)
    if (!isSample) enqueue(() => store(entry, open))
    stopTimer()
    stopTimer = after(KEPT_MS, forgetOld)
  }

  async function takeFile(entry: Entry): Promise<File | null> {
    const file = (await files.get(entry.id)) ?? null
    if (!isCurrent(entry)) return null
    if (file === null) session.remove(KEY)
    else if (!wasLeft) {
      // The tab is a copy of one that may be open: closing the file in one must not take it from the other.
      const own = { ...entry, id: newEntryId(openedMs(entry.id)) }
      write(own)
      enqueue(() => store(own, file))
    }
    return file
  }

  return {
    follow(open) {
      const before = read()
      session.remove(KEY)
      if (before && !before.isSample) enqueue(() => files.delete([before.id]))
      if (open !== null) keep(open)
    },
    settled: () => within(after, LEAVE_WITHIN_MS, queue, undefined),
    name: () => read()?.name ?? null,
    async take() {
      const entry = read()
      if (entry === null) return null
      stopTimer()
      stopTimer = after(openedMs(entry.id) + KEPT_MS - nowMs(), forgetOld)
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
