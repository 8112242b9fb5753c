import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '#shared/api/problem.ts'
import type { DriverNumber } from './driver-number-api.ts'
import { createFileOwnerStore, type FileNumber } from './file-owner.ts'
import type { SaveState } from './save-lap-store.ts'

const number = (driver_number: string, change: Partial<DriverNumber> = {}): DriverNumber => ({
  sim: 'iracing',
  driver_number,
  bound_at: '2026-05-01T12:00:00Z',
  is_disputed: false,
  can_undo: true,
  ...change,
})

const aFile = (name = 'a.ibt') => new File([], name)
const settle = () => new Promise(resolve => setImmediate(resolve))

/** Returns a store over files that have the driver numbers of `numbers`, by file name. */
function harness(numbers: Readonly<Record<string, string>> = { 'a.ibt': '7' }) {
  let saveState: SaveState = { phase: { kind: 'idle' }, judgedSinceMs: null }
  let onSave = () => {}
  const calls: string[] = []
  const world = {
    list: [] as readonly DriverNumber[],
    listFails: false,
    undoFails: null as Error | null,
    /** Delays the next reading of a number, or makes it fail. */
    reading: Promise.resolve(),
  }
  const store = createFileOwnerStore({
    save: {
      get: () => saveState,
      subscribe(listener) {
        onSave = listener
        return () => {}
      },
      start: file => calls.push(`save ${file.name}`),
      resume: (file, { kind }) => calls.push(`resume ${file.name} ${kind}`),
      stop: () => calls.push('stop'),
    },
    api: {
      async list() {
        if (world.listFails) throw new TypeError('Failed to fetch')
        return world.list
      },
      async undo({ sim, driver_number }) {
        if (world.undoFails !== null) throw world.undoFails
        calls.push(`undo ${sim} ${driver_number}`)
      },
    },
    async readNumber(file): Promise<FileNumber | null> {
      await world.reading
      const driver_number = numbers[file.name]
      return driver_number === undefined ? null : { sim: 'iracing', driver_number }
    },
    notify: { error: sentence => calls.push(`error: ${sentence}`) },
  })
  return {
    world,
    store,
    calls,
    saved() {
      saveState = { phase: { kind: 'skipped', reason: 'not_faster' }, judgedSinceMs: 1 }
      onSave()
    },
  }
}

test('saves a file immediately if it names no driver, no number is bound yet, or it has the bound one', async () => {
  for (const [name, list] of [
    ['team.ibt', [number('5')]],
    ['a.ibt', []],
    ['a.ibt', [number('7')]],
    ['a.ibt', [number('5'), number('7')]],
    // In dispute: the driver has claimed the number before.
    ['a.ibt', [number('5'), number('7', { bound_at: null, is_disputed: true })]],
    ['a.ibt', [number('5', { sim: 'another' })]],
  ] as const) {
    const { world, store, calls } = harness()
    world.list = list
    store.start(aFile(name))
    assert.equal(store.get().kind, 'checking')
    await settle()
    assert.deepEqual([calls, store.get().kind], [['stop', `save ${name}`], 'idle'], name)
  }
})

test('sends nothing of a file with another number before the driver claims it', async () => {
  const { world, store, calls } = harness()
  world.list = [number('5')]
  store.start(aFile())
  await settle()
  assert.deepEqual(store.get(), { kind: 'asking', number: '7', boundNumber: '5' })
  assert.deepEqual(calls, ['stop'])
  store.confirm()
  store.confirm()
  assert.deepEqual([calls, store.get().kind], [['stop', 'save a.ibt'], 'idle'])
})

test('sends nothing of a file whose save ended before a reload', async () => {
  const { store, calls } = harness()
  store.resume(aFile(), { kind: 'skipped', reason: 'not_faster' })
  await settle()
  assert.deepEqual([calls, store.get().kind], [['stop', 'resume a.ibt skipped'], 'idle'])
})

test('asks again for a number that a moderator bound to another account', async () => {
  const { world, store, calls } = harness()
  world.list = [number('5'), number('7', { bound_at: null })]
  store.start(aFile())
  await settle()
  assert.deepEqual([store.get().kind, calls], ['asking', ['stop']])
})

test('asks if the numbers cannot be checked, and saves if the driver confirms', async () => {
  const { world, store, calls } = harness()
  world.listFails = true
  store.start(aFile())
  await settle()
  assert.deepEqual(store.get(), { kind: 'asking', number: '7', boundNumber: null })
  store.confirm()
  assert.equal(calls.at(-1), 'save a.ibt')
})

test('asks if the number cannot be read because its code did not load, and saves if the driver confirms', async () => {
  const { world, store, calls } = harness()
  world.reading = Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  store.start(aFile())
  await settle()
  assert.deepEqual(store.get(), { kind: 'asking', number: null, boundNumber: null })
  assert.deepEqual(calls, ['stop'])
  store.confirm()
  assert.deepEqual([calls.at(-1), store.get().kind], ['save a.ibt', 'idle'])
})

test('reports that a save has bound a number, and Undo frees it', async () => {
  const { world, store, calls, saved } = harness()
  store.start(aFile())
  await settle()
  world.list = [number('7')]
  saved()
  await settle()
  assert.deepEqual(store.get(), { kind: 'claimed', number: '7', isDisputed: false, canUndo: true })
  await store.undo()
  assert.equal(calls.at(-1), 'undo iracing 7')
  assert.deepEqual(store.get(), { kind: 'undone', number: '7' })
})

test('reports a number in dispute, and stays silent about one that was bound before', async () => {
  const disputed = harness()
  disputed.store.start(aFile())
  await settle()
  disputed.world.list = [number('7', { bound_at: null, is_disputed: true })]
  disputed.saved()
  await settle()
  assert.deepEqual(disputed.store.get(), { kind: 'claimed', number: '7', isDisputed: true, canUndo: true })

  const bound = harness()
  bound.world.list = [number('7')]
  bound.store.start(aFile())
  await settle()
  bound.saved()
  await settle()
  assert.deepEqual(bound.store.get(), { kind: 'idle' })
})

test('keeps the line if Undo fails, and shows the server’s reason', async () => {
  const { world, store, calls, saved } = harness()
  store.start(aFile())
  await settle()
  world.list = [number('7')]
  saved()
  await settle()
  world.undoFails = new TypeError('Failed to fetch')
  await store.undo()
  assert.equal(calls.at(-1), 'error: The driver number could not be unbound. Please try again.')
  const detail = 'This driver number cannot be unbound any more.'
  const problem = { type: '', title: '', status: 409, detail, code: 'ingest.number_stays', request_id: 'r' }
  world.undoFails = new ApiError(new Response(null, { status: 409 }), problem)
  await store.undo()
  assert.equal(calls.at(-1), `error: ${detail}`)
  assert.equal(store.get().kind, 'claimed')
})

test('replaces a file that is still being checked, asked about or watched by the next file', async () => {
  const { world, store, calls, saved } = harness({ 'a.ibt': '7', 'b.ibt': '8' })
  const { promise, resolve } = Promise.withResolvers<void>()
  world.reading = promise
  store.start(aFile())
  world.reading = Promise.resolve()
  store.start(aFile('b.ibt'))
  resolve()
  await settle()
  assert.deepEqual(calls, ['stop', 'stop', 'save b.ibt'])
  world.list = [number('8')]
  saved()
  store.stop()
  await settle()
  assert.deepEqual(store.get(), { kind: 'idle' })
  store.start(aFile())
  await settle()
  assert.equal(store.get().kind, 'asking')
  store.stop()
  store.confirm()
  assert.deepEqual([store.get().kind, calls.at(-1)], ['idle', 'stop'])
})
