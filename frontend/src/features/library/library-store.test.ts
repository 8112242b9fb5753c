import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileChanged, ReadError } from '#shared/files/read-error.ts'
import { WorkerUnavailableError } from '#shared/files/reader-client.ts'
import { aSummary } from '#testing/a-summary.ts'
import { createManualClock } from '#testing/manual-clock.ts'
import type { Folder } from './folder.ts'
import type { LibraryEntry } from './library-entry.ts'
import { createLibraryStore, FOLDER_GONE, type LibraryMessage, NOT_ALLOWED } from './library-store.ts'
import type { StoredIndex } from './stored-index.ts'

const OLD_MS = 1_000_000
const now = OLD_MS + 3_600_000

const aFile = (name: string, { text = 'abc', lastModified = OLD_MS } = {}) =>
  new File([text], name, { lastModified })

/** A folder of files by path; names with a slash lie in folders of their own. */
function aFolder(files: Map<string, File>, prefix = ''): Folder & { permission: PermissionState } {
  const folder = {
    name: 'telemetry',
    permission: 'granted' as PermissionState,
    async *values() {
      const folders = new Set<string>()
      for (const [path, file] of files) {
        if (!path.startsWith(prefix)) continue
        const [first, ...rest] = path.slice(prefix.length).split('/')
        if (rest.length === 0) yield { kind: 'file', name: first, getFile: async () => file }
        else if (!folders.has(first!)) {
          folders.add(first!)
          yield { ...aFolder(files, `${prefix}${first}/`), kind: 'directory', name: first }
        }
      }
    },
    getDirectoryHandle: async (name: string) => aFolder(files, `${prefix}${name}/`),
    async getFileHandle(name: string) {
      const file = files.get(prefix + name)
      if (!file) throw new DOMException('Gone.', 'NotFoundError')
      return { getFile: async () => file }
    },
    queryPermission: async () => folder.permission,
    async requestPermission() {
      if (folder.permission === 'prompt') folder.permission = 'granted'
      return folder.permission
    },
  }
  return folder as unknown as Folder & { permission: PermissionState }
}

function memoryIndex(stored = new Map<string, LibraryEntry>(), folder: Folder | null = null): StoredIndex {
  return {
    read: async onBatch => onBatch([...stored.values()]),
    write: async entries => {
      for (const entry of entries) stored.set(entry.path, entry)
    },
    readFolder: async () => folder,
    writeFolder: async next => {
      folder = next
    },
    clear: async () => {
      stored.clear()
      folder = null
    },
  }
}

interface Harness {
  readonly index?: StoredIndex
  readonly read?: (file: Blob) => Promise<ReturnType<typeof aSummary>>
  readonly exclusively?: <T>(work: (hadToWait: boolean) => Promise<T>) => Promise<T>
  readonly readers?: number
}

function harness({ index = memoryIndex(), read, exclusively, readers = 2 }: Harness = {}) {
  const reads: string[] = []
  const posted: LibraryMessage[] = []
  let hear: (message: unknown) => void = () => {}
  let isKnown: boolean | null = null
  const clock = createManualClock()
  const library = createLibraryStore({
    index,
    createReaders: () =>
      Array.from({ length: readers }, () => ({
        async run(file: Blob) {
          reads.push((file as File).name)
          return read ? read(file) : aSummary()
        },
        end() {},
      })),
    tabs: {
      post: message => void posted.push(message),
      listen(onMessage) {
        hear = onMessage
      },
      exclusively: exclusively ?? (work => work(false)),
    },
    after: clock.after,
    nowMs: () => now,
    onKnown(known) {
      isKnown = known
    },
  })
  const paths = () =>
    library
      .get()
      .entries.map(({ path }) => path)
      .sort()
  return {
    library,
    reads,
    posted,
    paths,
    say: (message: unknown) => hear(message),
    known: () => isKnown,
    clock,
  }
}

test('reads each telemetry file of the folder and of its folders once, and stores it', async () => {
  const stored = new Map<string, LibraryEntry>()
  const files = new Map([
    ['a.ibt', aFile('a.ibt')],
    ['2026/b.IBT', aFile('b.IBT', { text: 'other' })],
    ['notes.txt', aFile('notes.txt')],
  ])
  const { library, reads, paths, known, clock } = harness({ index: memoryIndex(stored) })
  await library.open()
  await library.useFolder(aFolder(files))
  assert.deepEqual(paths(), ['2026/b.IBT', 'a.ibt'])
  assert.deepEqual([...stored.keys()].sort(), ['2026/b.IBT', 'a.ibt'])
  assert.equal(known(), true)
  await library.open()
  assert.equal(reads.length, 2)
  await clock.advance(10_000)
  assert.equal(library.get().work, null)
})

test('reads on the next visit only what is new or changed', async () => {
  const stored = new Map<string, LibraryEntry>()
  const files = new Map([
    ['a.ibt', aFile('a.ibt')],
    ['b.ibt', aFile('b.ibt')],
  ])
  const folder = aFolder(files)
  await harness({ index: memoryIndex(stored) }).library.useFolder(folder)

  files.set('a.ibt', aFile('a.ibt', { lastModified: OLD_MS + 5 }))
  files.set('c.ibt', aFile('c.ibt'))
  const second = harness({ index: memoryIndex(stored, folder) })
  await second.library.open()
  assert.deepEqual(second.reads.sort(), ['a.ibt', 'c.ibt'])
  assert.deepEqual(second.paths(), ['a.ibt', 'b.ibt', 'c.ibt'])
})

test('shows the stored list immediately, and reads the folder after one press', async () => {
  const stored = new Map<string, LibraryEntry>()
  const folder = aFolder(new Map([['a.ibt', aFile('a.ibt')]]))
  await harness({ index: memoryIndex(stored) }).library.useFolder(folder)
  folder.permission = 'prompt'
  const { library, reads, paths } = harness({ index: memoryIndex(stored, folder) })
  await library.open()
  assert.deepEqual(paths(), ['a.ibt'])
  assert.deepEqual(library.get().folder, { name: 'telemetry', isReadable: false })
  await library.allowFolder()
  assert.deepEqual(library.get().folder, { name: 'telemetry', isReadable: true })
  assert.deepEqual(reads, [])

  folder.permission = 'denied'
  await library.allowFolder()
  assert.equal(library.get().problem, NOT_ALLOWED)
})

test('says why a file cannot be read, and does not read it again', async () => {
  const stored = new Map<string, LibraryEntry>()
  const folder = aFolder(new Map([['a.ibt', aFile('a.ibt')]]))
  const read = async () => {
    throw new ReadError('ibt.empty', 'This file is empty.')
  }
  const first = harness({ index: memoryIndex(stored), read })
  await first.library.useFolder(folder)
  assert.equal(first.library.get().entries[0]!.problem, 'This file is empty.')
  const second = harness({ index: memoryIndex(stored, folder), read })
  await second.library.open()
  assert.deepEqual(second.reads, [])
})

test('reads a file again that a stopped reader could not finish', async () => {
  const stored = new Map<string, LibraryEntry>()
  const folder = aFolder(new Map([['a.ibt', aFile('a.ibt')]]))
  await harness({
    index: memoryIndex(stored),
    read: async () => {
      throw new ReadError('page.reader_stopped', 'The reader stopped.')
    },
  }).library.useFolder(folder)
  assert.equal(stored.get('a.ibt')!.problem, 'The reader stopped.')
  const { library, reads } = harness({ index: memoryIndex(stored, folder) })
  await library.open()
  assert.deepEqual(reads, ['a.ibt'])
  assert.equal(stored.get('a.ibt')!.problem, null)
})

test('adds a growing file when the simulator has finished it, and reads it no more often than needed', async () => {
  const files = new Map<string, File>()
  const grow = (text: string) => files.set('a.ibt', aFile('a.ibt', { text, lastModified: now }))
  let isPartial = true
  const { library, reads, paths } = harness({ read: async () => aSummary({ partial: isPartial }) })
  await library.useFolder(aFolder(files))
  grow('a')
  await library.look()
  assert.equal(library.get().growing, 1)
  grow('ab')
  await library.look()
  assert.equal(reads.length, 1)
  isPartial = false
  grow('abc')
  await library.look()
  assert.deepEqual([reads.length, paths()], [1, []])
  await library.look()
  assert.deepEqual([reads.length, paths(), library.get().growing], [2, ['a.ibt'], 0])
  await library.look()
  assert.equal(reads.length, 2)
})

test('reads a file later that changes while it is read, and forgets it if it is deleted meanwhile', async () => {
  const files = new Map([['a.ibt', aFile('a.ibt')]])
  let isGrowing = true
  const { library, paths } = harness({
    read: async () => {
      if (isGrowing) throw fileChanged()
      return aSummary()
    },
  })
  await library.useFolder(aFolder(files))
  assert.deepEqual([paths(), library.get().growing], [[], 1])
  isGrowing = false
  await library.look()
  assert.deepEqual([paths(), library.get().growing], [['a.ibt'], 0])

  isGrowing = true
  files.set('b.ibt', aFile('b.ibt'))
  await library.look()
  files.delete('b.ibt')
  await library.look()
  assert.deepEqual([paths(), library.get().growing, library.get().problem], [['a.ibt'], 0, null])
})

test('reads a file without its end once nothing writes it any more', async () => {
  const { library, paths } = harness({ read: async () => aSummary({ partial: true }) })
  await library.useFolder(aFolder(new Map([['a.ibt', aFile('a.ibt')]])))
  assert.deepEqual(paths(), ['a.ibt'])
})

test('keeps the list and says so if the folder was moved', async () => {
  const folder = aFolder(new Map([['a.ibt', aFile('a.ibt')]]))
  const { library, paths } = harness()
  await library.useFolder(folder)
  Object.assign(folder, {
    // biome-ignore lint/correctness/useYield: the folder is gone before its first file
    async *values() {
      throw new DOMException('Gone.', 'NotFoundError')
    },
  })
  await library.open()
  assert.equal(library.get().problem, FOLDER_GONE)
  assert.deepEqual(paths(), ['a.ibt'])
})

test('goes on without a store that is full, and says that the list is not stored', async () => {
  const full = {
    ...memoryIndex(),
    write: () => Promise.reject(new DOMException('Full.', 'QuotaExceededError')),
  }
  const { library, paths } = harness({ index: full })
  await library.useFolder(aFolder(new Map([['a.ibt', aFile('a.ibt')]])))
  assert.equal(library.get().isUnsaved, true)
  assert.deepEqual(paths(), ['a.ibt'])
})

test('works in a browser that denies its store', async () => {
  const no = () => Promise.reject(new DOMException('Denied.', 'SecurityError'))
  const denied: StoredIndex = { read: no, write: no, readFolder: no, writeFolder: no, clear: no }
  const { library, paths } = harness({ index: denied })
  await library.open()
  await library.useFolder(aFolder(new Map([['a.ibt', aFile('a.ibt')]])))
  assert.equal(library.get().isUnsaved, true)
  assert.deepEqual(paths(), ['a.ibt'])
  await library.forgetAll()
  assert.deepEqual(paths(), [])
})

test('says that no reader can start, and reads everything on the next visit', async () => {
  let isBlocked = true
  const { library, paths } = harness({
    read: async () => {
      if (isBlocked) throw new WorkerUnavailableError()
      return aSummary()
    },
  })
  await library.useFolder(aFolder(new Map([['a.ibt', aFile('a.ibt')]])))
  assert.match(library.get().problem!, /could not be started/)
  isBlocked = false
  await library.open()
  assert.deepEqual(paths(), ['a.ibt'])
})

test('reads nothing that another tab has read meanwhile', async () => {
  const stored = new Map<string, LibraryEntry>()
  const file = aFile('a.ibt')
  const { library, reads, paths } = harness({
    index: memoryIndex(stored),
    async exclusively(work) {
      const entry = { path: 'a.ibt', size: file.size, modifiedMs: OLD_MS, version: 1 }
      stored.set('a.ibt', { ...entry, summary: aSummary(), problem: null })
      return work(true)
    },
  })
  await library.useFolder(aFolder(new Map([['a.ibt', file]])))
  assert.deepEqual([reads, paths()], [[], ['a.ibt']])
})

test('follows what another tab reads, and forgets all when it does', async () => {
  const { library, posted, paths, say, known } = harness()
  await library.useFolder(aFolder(new Map([['a.ibt', aFile('a.ibt')]])))
  const other = harness()
  await other.library.open()
  for (const message of posted) other.say(message)
  assert.deepEqual(other.paths(), ['a.ibt'])
  for (const odd of [null, 7, { entries: 1 }, { entries: [{ version: 99 }] }]) other.say(odd)
  assert.deepEqual(other.paths(), ['a.ibt'])
  say('forgotten')
  assert.deepEqual([paths(), library.get().folder, known()], [[], null, false])
})

test('forgets the list and the folder, also while it reads', async () => {
  const stored = new Map<string, LibraryEntry>()
  let finish = () => {}
  const index = memoryIndex(stored)
  const { library, paths, known } = harness({
    index,
    readers: 1,
    read: file =>
      (file as File).name === 'a.ibt'
        ? Promise.resolve(aSummary())
        : new Promise(resolve => {
            finish = () => resolve(aSummary())
          }),
  })
  const files = new Map([
    ['a.ibt', aFile('a.ibt', { lastModified: OLD_MS + 1 })],
    ['b.ibt', aFile('b.ibt')],
  ])
  await library.open()
  const used = library.useFolder(aFolder(files))
  while (library.get().work === null) await Promise.resolve()
  const forgotten = library.forgetAll()
  finish()
  await Promise.all([used.catch(() => {}), forgotten])
  assert.deepEqual([paths(), stored.size, known(), await index.readFolder()], [[], 0, false, null])
})

test('opens a session from the folder, and from files that were chosen', async () => {
  const files = new Map([['2026/a.ibt', aFile('a.ibt')]])
  const { library } = harness()
  await library.useFolder(aFolder(files))
  await library.add([aFile('chosen.ibt'), aFile('notes.txt')])
  const [fromFolder, chosen] = library.get().entries
  assert.equal((await library.fileOf(fromFolder!)).name, 'a.ibt')
  assert.equal((await library.fileOf(chosen!)).name, 'chosen.ibt')

  const file = files.get('2026/a.ibt')!
  files.delete('2026/a.ibt')
  await assert.rejects(library.fileOf(fromFolder!), { code: 'library.file_gone' })
  files.set('archive/a.ibt', file)
  await library.open()
  assert.equal(library.get().entries.length, 2)
  assert.equal((await library.fileOf(fromFolder!)).name, 'a.ibt')
})

test('asks for chosen files again after a reload, and knows them', async () => {
  const stored = new Map<string, LibraryEntry>()
  await harness({ index: memoryIndex(stored) }).library.add([aFile('a.ibt')])
  const { library, reads } = harness({ index: memoryIndex(stored) })
  await library.open()
  const [entry] = library.get().entries
  await assert.rejects(library.fileOf(entry!), { code: 'library.choose_again' })
  await library.add([aFile('a.ibt')])
  assert.deepEqual(reads, [])
  assert.equal((await library.fileOf(entry!)).name, 'a.ibt')
})

test('lists names in any script, and thousands of files', async () => {
  const names = ['плёнка.ibt', '鈴鹿サーキット.ibt', 'حلبة.ibt', '🏁 évo.ibt', 'a b%20#?.ibt']
  const many = Array.from({ length: 5000 }, (_, i) => `session ${i}.ibt`)
  const files = new Map([...names, ...many].map(name => [name, aFile(name)]))
  const { library, paths } = harness({ readers: 4 })
  await library.useFolder(aFolder(files))
  assert.equal(library.get().entries.length, 5005)
  assert.deepEqual(paths(), [...files.keys()].sort())
  for (const name of names) {
    const entry = library.get().entries.find(({ path }) => path === name)!
    assert.equal((await library.fileOf(entry)).name, name)
  }
})
