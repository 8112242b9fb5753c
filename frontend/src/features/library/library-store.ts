import type { TabLink } from '@lapwing/identity-client/tab-link'
import type { SessionSummary } from '@lapwing/telemetry'
import type { BriefReader } from '#shared/files/brief-reader.ts'
import { hasFileChanged, isFileChange, rememberChosen } from '#shared/files/file-changes.ts'
import { ReadError } from '#shared/files/read-error.ts'
import { WorkerUnavailableError } from '#shared/files/reader-client.ts'
import { isTelemetryName } from '#shared/files/telemetry-name.ts'
import { formatCount } from '#shared/format/count.ts'
import { createStore, type Readable } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'
import { canRead, type Folder, type FolderFile, fileAt, filesOf, MAX_FILES, pathOfChosen } from './folder.ts'
import { fileName, INDEX_VERSION, type LibraryEntry } from './library-entry.ts'
import { searchText } from './list-sessions.ts'
import type { StoredIndex } from './stored-index.ts'

export interface LibraryState {
  /** Whether the stored entries were read. */
  readonly isLoaded: boolean
  readonly entries: readonly LibraryEntry[]
  /** The remembered folder; null without one. */
  readonly folder: { readonly name: string; readonly isReadable: boolean } | null
  /** Number of files that are read now, and how many of them are done; null if none is. */
  readonly work: { readonly done: number; readonly total: number } | null
  /** Whether another tab reads the files. */
  readonly isWaiting: boolean
  /** Number of files that the simulator still writes. */
  readonly growing: number
  /** Why the folder could not be read; null if it could. */
  readonly problem: string | null
  /** Whether the browser could not store the list. */
  readonly isUnsaved: boolean
}

/** The driver's telemetry files, each summarised. Nothing of them leaves the browser. */
export interface LibraryStore extends Readable<LibraryState> {
  /** Reads what is stored. */
  load(): Promise<void>
  /** Reads what is stored, then what is new in the folder, if the browser allows that without a press. */
  open(): Promise<void>
  /** Uses another folder, remembers it, and reads what is new in it. */
  useFolder(folder: Folder): Promise<void>
  /** Asks the browser for the remembered folder again. Needs a press. */
  allowFolder(): Promise<void>
  /** Reads files that were chosen or dropped. */
  add(files: readonly File[]): Promise<void>
  /** Looks for new files: call it from time to time. */
  look(): Promise<void>
  /** Returns the file of an entry. Rejects with a `ReadError` if it cannot be opened. Needs a press. */
  fileOf(entry: LibraryEntry): Promise<File>
  /** Deletes the list and forgets the folder, in all tabs. The files themselves stay. */
  forgetAll(): Promise<void>
  dismissProblem(): void
}

/** Sent to the other tabs. */
export type LibraryMessage = { readonly entries: readonly LibraryEntry[] } | 'forgotten'

export type SummaryReader = BriefReader<Blob, SessionSummary>

export interface LibraryDeps {
  readonly index: StoredIndex
  /** Creates readers for a scan; each reads one file at a time. */
  readonly createReaders: () => readonly SummaryReader[]
  readonly tabs: Pick<TabLink<LibraryMessage>, 'post' | 'listen' | 'exclusively'>
  readonly after: After
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** Called when there is something to open the next time, and when there is not. */
  readonly onKnown: (isKnown: boolean) => void
}

export const FOLDER_GONE = 'The folder was moved or deleted. Choose it again.'
export const FOLDER_UNREADABLE = 'The folder could not be read. Choose it again.'
export const NOT_ALLOWED = 'The browser did not allow the folder to be read.'
export const TOO_MANY_FILES = `Only the first ${formatCount(MAX_FILES)} files of the folder are listed.`
const FILE_GONE = 'The file is no longer in the folder. Its laps stay in the list.'
const CHOOSE_AGAIN = 'This browser does not remember files. Choose the folder again, then open the session.'

/** Milliseconds. A file without its end that has not changed for so long never gets one: the simulator crashed. */
const CRASHED_AFTER_MS = 30_000
/** Milliseconds between two updates of the list while files are read. */
const FLUSH_MS = 300
/** Milliseconds after which a lock that was not granted belongs to another tab. */
const WAITING_AFTER_MS = 200

const nothing: LibraryState = {
  isLoaded: false,
  entries: [],
  folder: null,
  work: null,
  isWaiting: false,
  growing: 0,
  problem: null,
  isUnsaved: false,
}

/** A file that the library has not read in its present state. */
interface Found {
  readonly path: string
  readonly file: File
}

export function createLibraryStore(deps: LibraryDeps): LibraryStore {
  const { index, createReaders, tabs, after, nowMs, onKnown } = deps
  const { get, subscribe, patch } = createStore(nothing)
  const byPath = new Map<string, LibraryEntry>()
  /** Files of this visit, by path. */
  const chosen = new Map<string, File>()
  /** Bytes of files without their end, by path, when they were last seen. */
  const growing = new Map<string, number>()
  let folder: Folder | null = null
  /** Cancelled when everything is forgotten. */
  let life = new AbortController()
  let loading: Promise<void> | null = null
  /** Runs one scan after another. */
  let queue: Promise<unknown> = Promise.resolve()
  let isScanning = false

  /** A file that was moved inside the folder has two paths, and is one session. */
  const show = () =>
    patch({ entries: [...new Map([...byPath.values()].map(entry => [identity(entry), entry])).values()] })
  const put = (entries: readonly LibraryEntry[]) => {
    for (const entry of entries) {
      byPath.set(entry.path, entry)
      // Entries come in batches. All texts at the first letter of a search would take longer than a frame.
      searchText(entry)
    }
    show()
  }

  tabs.listen(message => {
    if (message === 'forgotten') {
      reset()
      // What this tab was storing can arrive after the other tab has deleted everything.
      void queue.then(() => index.clear()).catch(() => {})
    } else if (isEntries(message)) put(message.entries)
  })

  function reset() {
    life.abort()
    life = new AbortController()
    byPath.clear()
    chosen.clear()
    growing.clear()
    folder = null
    patch({ ...nothing, isLoaded: true })
    onKnown(false)
  }

  async function readStored(): Promise<void> {
    try {
      folder = await index.readFolder()
      await index.read(put)
    } catch {
      // A browser that denies its store has nothing stored.
    }
    if (folder) patch({ folder: { name: folder.name, isReadable: false } })
    patch({ isLoaded: true })
  }

  function load(): Promise<void> {
    loading ??= readStored()
    return loading
  }

  async function store(entries: readonly LibraryEntry[], signal: AbortSignal): Promise<void> {
    if (signal.aborted || entries.length === 0) return
    put(entries)
    tabs.post({ entries })
    onKnown(true)
    try {
      await index.write(entries)
      if (get().isUnsaved) patch({ isUnsaved: false })
    } catch {
      patch({ isUnsaved: true })
    }
  }

  /** Whether the stored entry is of the file as it is now. */
  function isKnown({ path, file }: Found): boolean {
    const entry = byPath.get(path)
    return entry !== undefined && entry.size === file.size && entry.modifiedMs === file.lastModified
  }

  /** Finds what is new. `isLook`: trusts that files which were read have not changed, which is faster. */
  async function newOf(source: Folder, isLook: boolean): Promise<Found[]> {
    const found: Found[] = []
    const there = new Set<string>()
    for await (const file of filesOf(source)) {
      if (there.size === MAX_FILES) {
        patch({ problem: TOO_MANY_FILES })
        break
      }
      there.add(file.path)
      if (isLook && byPath.has(file.path) && !growing.has(file.path)) continue
      const next = await openFound(file)
      if (next === null || isKnown(next)) continue
      const sizeBefore = growing.get(next.path)
      // Reading a growing file once more makes sense only after it has stayed the same for a while.
      if (sizeBefore === undefined || sizeBefore === next.file.size) found.push(next)
      else growing.set(next.path, next.file.size)
    }
    for (const path of growing.keys()) if (!there.has(path)) growing.delete(path)
    patch({ growing: growing.size })
    return found
  }

  async function scanFolder(isLook: boolean): Promise<void> {
    const source = folder
    if (source === null) return
    const { signal } = life
    let found: Found[]
    try {
      found = await newOf(source, isLook)
    } catch (error) {
      if (signal.aborted) return
      patch({ problem: whyUnreadable(error) })
      return
    }
    await readAll(found, signal)
  }

  /** Reads files while no other tab does. */
  async function readAll(found: readonly Found[], signal: AbortSignal): Promise<void> {
    if (found.length === 0 || signal.aborted) return
    const stop = after(WAITING_AFTER_MS, () => patch({ isWaiting: true }))
    await tabs.exclusively(async hadToWait => {
      stop()
      patch({ isWaiting: false })
      if (signal.aborted) return
      if (hadToWait) await index.read(put).catch(() => {})
      // The newest first: a driver looks for the last session.
      const todo = found
        .filter(each => !isKnown(each))
        .sort((a, b) => b.file.lastModified - a.file.lastModified)
      if (todo.length > 0) await summarise(todo, signal)
    })
  }

  async function summarise(todo: Found[], signal: AbortSignal): Promise<void> {
    const readers = createReaders()
    let done = 0
    const total = todo.length
    let fresh: LibraryEntry[] = []
    let stopTimer: (() => void) | null = null
    let writing: Promise<void> = Promise.resolve()
    const flush = () => {
      stopTimer?.()
      stopTimer = null
      const entries = fresh
      fresh = []
      if (!signal.aborted) patch({ work: { done, total }, growing: growing.size })
      writing = writing.then(() => store(entries, signal))
    }
    patch({ work: { done, total } })
    const drain = async (reader: SummaryReader) => {
      for (let next = todo.shift(); next !== undefined && !signal.aborted; next = todo.shift()) {
        const entry = await readOne(reader, next, signal)
        done++
        if (entry) fresh.push(entry)
        stopTimer ??= after(FLUSH_MS, flush)
      }
    }
    try {
      await Promise.all(readers.slice(0, total).map(drain))
    } catch (error) {
      if (error instanceof WorkerUnavailableError) patch({ problem: error.message })
      else if (!signal.aborted) throw error
    } finally {
      flush()
      await writing
      // Frees their memory.
      for (const reader of readers) reader.end()
      if (!signal.aborted) patch({ work: null })
    }
  }

  /** Returns the entry of a file; null if it is to be read later, or not at all. */
  async function readOne(
    reader: SummaryReader,
    { path, file }: Found,
    signal: AbortSignal,
  ): Promise<LibraryEntry | null> {
    const base = { path, size: file.size, modifiedMs: file.lastModified, version: INDEX_VERSION }
    const isRecent = nowMs() - file.lastModified < CRASHED_AFTER_MS
    const later = () => {
      growing.set(path, file.size)
      return null
    }
    rememberChosen([file])
    try {
      const summary = await reader.run(file, { signal })
      // Halves of two files can make laps that were never driven.
      if (await hasFileChanged(file)) return later()
      if (summary.partial && isRecent) return later()
      growing.delete(path)
      return { ...base, summary, problem: null }
    } catch (error) {
      if (signal.aborted || error instanceof WorkerUnavailableError) throw error
      if (!(error instanceof ReadError)) throw error
      if (isRecent || error.code === 'page.file_changed') return later()
      growing.delete(path)
      // The reader stopped, which says nothing of the file: it is read again on the next visit.
      const modifiedMs = error.code === 'page.reader_stopped' ? -1 : base.modifiedMs
      return { ...base, modifiedMs, summary: null, problem: error.message }
    }
  }

  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const run = queue.then(async () => {
      isScanning = true
      try {
        return await work()
      } finally {
        isScanning = false
      }
    })
    queue = run.catch(() => {})
    return run
  }

  /** Returns whether the folder can be read. */
  async function allow(isPressed: boolean): Promise<boolean> {
    const asked = folder
    if (asked === null) return false
    const isReadable = await canRead(asked, isPressed).catch(() => false)
    if (folder !== asked) return false
    const problem = isPressed && !isReadable ? NOT_ALLOWED : null
    patch({ folder: { name: asked.name, isReadable }, problem })
    return isReadable
  }

  async function follow(isPressed: boolean): Promise<void> {
    if (await allow(isPressed)) await enqueue(() => scanFolder(false))
  }

  /** Returns all paths at which the file of an entry was seen, its own first. */
  function pathsOf(entry: LibraryEntry): string[] {
    const same = [...byPath.values()].filter(other => identity(other) === identity(entry))
    return [...new Set([entry.path, ...same.map(({ path }) => path)])]
  }

  return {
    get,
    subscribe,
    load,
    async open() {
      await load()
      await follow(false)
    },
    async useFolder(next) {
      await load()
      folder = next
      patch({ folder: { name: next.name, isReadable: true }, problem: null })
      onKnown(true)
      try {
        await index.writeFolder(next)
      } catch {
        patch({ isUnsaved: true })
      }
      await follow(true)
    },
    allowFolder: () => follow(true),
    async add(files) {
      await load()
      const { signal } = life
      const paths = new Map([...byPath.values()].map(entry => [identity(entry), entry.path]))
      const found = files
        .filter(({ name }) => isTelemetryName(name))
        .slice(0, MAX_FILES)
        .map(file => {
          const { name, size, lastModified: modifiedMs } = file
          return { path: paths.get(identity({ path: name, size, modifiedMs })) ?? pathOfChosen(file), file }
        })
      for (const { path, file } of found) chosen.set(path, file)
      if (found.length > 0) onKnown(true)
      await enqueue(() => readAll(found, signal))
    },
    async look() {
      if (isScanning || !get().folder?.isReadable) return
      await enqueue(() => scanFolder(true))
    },
    async fileOf(entry) {
      const paths = pathsOf(entry)
      const file = paths.map(path => chosen.get(path)).find(each => each !== undefined)
      if (file !== undefined) return file
      if (folder === null) throw new ReadError('library.choose_again', CHOOSE_AGAIN)
      if (!get().folder?.isReadable && !(await allow(true))) {
        throw new ReadError('library.not_allowed', NOT_ALLOWED)
      }
      for (const path of paths) {
        try {
          return await fileAt(folder, path)
        } catch (error) {
          if (!isFileChange(error)) throw error
        }
      }
      throw new ReadError('library.file_gone', FILE_GONE)
    },
    async forgetAll() {
      reset()
      tabs.post('forgotten')
      // Entries that are being written come first.
      await queue
      await index.clear().catch(() => {})
    },
    dismissProblem: () => patch({ problem: null }),
  }
}

/** Returns why a folder could not be listed. */
function whyUnreadable(error: unknown): string {
  const name = (error as Error | null)?.name
  if (name === 'NotFoundError') return FOLDER_GONE
  return name === 'NotAllowedError' ? NOT_ALLOWED : FOLDER_UNREADABLE
}

/** Returns what a file keeps if it is moved inside the folder. */
function identity({ path, size, modifiedMs }: Pick<LibraryEntry, 'path' | 'size' | 'modifiedMs'>): string {
  return `${size} ${modifiedMs} ${fileName({ path })}`
}

/** Opens a file of the folder; null if it was deleted in the meantime. */
async function openFound({ path, getFile }: FolderFile): Promise<Found | null> {
  try {
    return { path, file: await getFile() }
  } catch (error) {
    if (isFileChange(error)) return null
    throw error
  }
}

/** Another tab can be of another version of the page. */
function isEntries(message: unknown): message is { readonly entries: readonly LibraryEntry[] } {
  const { entries } = (message ?? {}) as { readonly entries?: readonly LibraryEntry[] }
  return Array.isArray(entries) && entries.every(entry => entry?.version === INDEX_VERSION)
}
