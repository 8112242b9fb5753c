import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Preview } from '@lapwing/telemetry'
import { ReadError } from '#shared/files/read-error.ts'
import { NO_COMPLETE_LAP } from '#shared/laps/is-timed-lap.ts'
import { aPreview } from '#testing/a-preview.ts'
import type { FileReadOptions } from './file-reader.ts'
import type { ParseResult } from './parse-protocol.ts'
import { createUploadStore, MAX_OFFERED, NOT_REOPENED, OPEN_UNSAVED } from './upload-store.ts'

const preview = aPreview({ completeLaps: 2, sampleRateHz: 4 })
const withoutLap: Preview = { ...preview, laps: preview.laps.filter(lap => !lap.is_completed) }
const withoutTime: Preview = { ...preview, laps: preview.laps.map(lap => ({ ...lap, time_s: null })) }

const file = (name: string, size = 3): File =>
  Object.defineProperty(new File([], name), 'size', { value: size })

/** Returns a store over a reader that the test answers for by hand. */
function harness() {
  let nowMs = 1000
  const timers = new Set<() => void>()
  const notices: string[] = []
  /** What the buttons of the notices do. */
  const actions: (() => void)[] = []
  const calls: {
    name: string
    options: Partial<FileReadOptions>
    answer: (preview: Preview) => Promise<void>
    fail: (error: unknown) => Promise<void>
  }[] = []
  const settled = () => new Promise<void>(resolve => setImmediate(resolve))
  const call = (name: string, options: Partial<FileReadOptions>) => {
    const { promise, resolve, reject } = Promise.withResolvers<ParseResult>()
    calls.push({
      name,
      options,
      answer: preview => {
        resolve({ preview, sizeBytes: 3 })
        return settled()
      },
      fail: error => {
        reject(error)
        return settled()
      },
    })
    return promise
  }
  const store = createUploadStore({
    reader: {
      readFile: (chosen, options) => call(chosen.name, options),
      readSample: options => call('sample', options),
    },
    nowMs: () => nowMs,
    after: (_ms, callback) => {
      timers.add(callback)
      return () => timers.delete(callback)
    },
    notify: {
      error: (message, more) => {
        notices.push(more?.detail ? `${message} | ${more.detail}` : message)
        if (more?.action) actions.push(more.action.onPress)
      },
    },
    whyPartial: laps => (laps.length > 0 ? 'out lap' : ''),
  })
  return {
    store,
    calls,
    notices,
    actions,
    wait(ms: number) {
      nowMs += ms
      for (const callback of [...timers]) callback()
    },
  }
}

test('loads a file with a complete lap, with the time that reading took', async () => {
  const { store, calls, wait } = harness()
  const chosen = file('a.ibt')
  store.choose([chosen])
  assert.equal(store.get().reading?.name, 'a.ibt')
  calls[0]!.options.onProgress?.(0.5)
  assert.equal(store.get().reading?.share, 0.5)
  wait(120)
  await calls[0]!.answer(preview)
  const { session, reading, problem } = store.get()
  assert.equal(reading, null)
  assert.equal(problem, null)
  assert.deepEqual(
    [session?.name, session?.readMs, session?.file, session?.preview],
    ['a.ibt', 120, chosen, preview],
  )
})

test('shows the overlay only if reading takes long', async () => {
  const { store, calls, wait } = harness()
  store.choose([file('quick.ibt')])
  assert.equal(store.get().reading?.isSlow, false)
  await calls[0]!.answer(preview)
  wait(400)
  assert.equal(store.get().reading, null)
  store.choose([file('slow.ibt')])
  wait(400)
  assert.equal(store.get().reading?.isSlow, true)
})

test('says why a file is refused, and never opens it', () => {
  const { store, calls } = harness()
  store.choose([file('a.zip')])
  assert.equal(store.get().problem, 'Only .ibt files are supported.')
  store.choose([file('a.ibt', 104_857_601)])
  assert.equal(store.get().problem, 'File is larger than 100 MB.')
  assert.equal(calls.length, 0)
  store.dismissProblem()
  assert.equal(store.get().problem, null)
})

test('opens a file that is too large if the driver asks for it, unless another file came meanwhile', async () => {
  const { store, calls, notices, actions } = harness()
  const large = file('large.ibt', 104_857_601)
  store.choose([large])
  const first = store.get().alternative!
  assert.deepEqual([first.name, first.label], ['large.ibt', OPEN_UNSAVED])
  first.take()
  assert.deepEqual([store.get().problem, store.get().alternative], [null, null])
  await calls[0]!.answer(preview)
  assert.deepEqual([store.get().session?.file, store.get().session?.isUnsaved], [large, true])

  // With a session loaded, a toast has the button.
  store.choose([file('larger.ibt', 2 ** 30)])
  assert.deepEqual(notices, ['File is larger than 100 MB.'])
  store.choose([file('b.ibt')])
  await calls[1]!.answer(preview)
  actions[0]!()
  assert.equal(store.get().session?.name, 'b.ibt')
  assert.equal(calls.length, 2)
})

test('opens a file without saving if it is asked to, lets no server read it, and saves others as before', async () => {
  const { store, calls } = harness()
  const opened = async () => {
    const { name, options, answer } = calls.at(-1)!
    await answer(preview)
    const { session } = store.get()
    assert.equal(session?.name, name)
    return { isUnsaved: session?.isUnsaved, canSend: options.canSend }
  }
  const unsaved = { isUnsaved: true, canSend: false }
  store.openUnsaved(file('library.ibt'))
  assert.deepEqual(await opened(), unsaved)
  store.openUnsaved(file('large.ibt', 2 ** 30))
  assert.deepEqual(await opened(), unsaved)
  store.choose([file('dropped.ibt'), file('other.ibt')])
  assert.deepEqual(await opened(), { isUnsaved: false, canSend: true })
  store.openOffered(file('other.ibt'))
  assert.deepEqual(await opened(), { isUnsaved: false, canSend: true })
})

test('opens without saving what was so before a reload, and the partial laps of such a file', async () => {
  for (const isUnsaved of [true, false]) {
    const { store, calls } = harness()
    void store.reopen('a.ibt', isUnsaved, async () => file('a.ibt'))
    await Promise.resolve()
    assert.equal(calls[0]!.options.canSend, !isUnsaved)
    await calls[0]!.answer(preview)
    assert.equal(store.get().session?.isUnsaved, isUnsaved)
  }
  const { store, calls, actions } = harness()
  store.openUnsaved(file('a.ibt'))
  await calls[0]!.answer(withoutLap)
  actions[0]!()
  assert.equal(store.get().session?.isUnsaved, true)
})

test('offers nothing for a file of another type, and no more after the message is closed', () => {
  const { store } = harness()
  store.choose([file('large.ibt', 104_857_601)])
  store.dismissProblem()
  assert.equal(store.get().alternative, null)
  store.choose([file('large.ibt', 104_857_601)])
  store.choose([file('a.zip', 104_857_601)])
  assert.equal(store.get().alternative, null)
})

test('opens the first accepted file of several', () => {
  const { store, calls } = harness()
  store.choose([])
  store.choose([file('notes.txt'), file('b.ibt'), file('c.ibt')])
  assert.deepEqual(
    calls.map(({ name }) => name),
    ['b.ibt'],
  )
})

test('loads nothing from a file without a timed complete lap, and shows the toast', async () => {
  for (const bad of [withoutLap, withoutTime]) {
    const { store, calls, notices } = harness()
    store.choose([file('a.ibt')])
    await calls[0]!.answer(bad)
    assert.deepEqual(notices, [`${NO_COMPLETE_LAP} | Found in this file: out lap.`])
    const { alternative, ...state } = store.get()
    assert.deepEqual(state, { session: null, reading: null, problem: null, offer: null })
    assert.equal(alternative?.name, 'a.ibt')
  }
})

test('shows the partial laps of a file if the driver asks for them, unless another file came meanwhile', async () => {
  const { store, calls, actions } = harness()
  store.choose([file('a.ibt')])
  await calls[0]!.answer(withoutLap)
  actions[0]!()
  assert.deepEqual([store.get().session?.name, store.get().alternative], ['a.ibt', null])
  store.choose([file('b.ibt')])
  await calls[1]!.answer(withoutLap)
  store.choose([file('c.ibt')])
  actions[1]!()
  assert.equal(store.get().session?.name, 'a.ibt')
  await calls[2]!.answer(preview)
  actions[1]!()
  assert.equal(store.get().session?.name, 'c.ibt')
})

test('opens a saved lap in place of a file, or says why it cannot', async () => {
  const { store, notices } = harness()
  const lap = { lapId: 'lap-1', name: 'Lap 5', facts: '{}' }
  assert.equal(await store.openLap({ ...lap, load: async () => ({ preview, sizeBytes: 0 }) }), true)
  const { session } = store.get()
  assert.deepEqual([session?.savedLap?.lapId, session?.name, session?.file], ['lap-1', 'Lap 5', null])
  assert.equal(await store.openLap({ ...lap, load: () => Promise.reject(new Error('away')) }), false)
  assert.deepEqual(notices, ['The lap could not be opened.'])
  assert.equal(store.get().session, session)
})

test('opens a saved lap again after a reload, which another driver does not see', async () => {
  const { store, notices } = harness()
  const opened = { preview, sizeBytes: 0 }
  const lap = { lapId: 'lap-1', name: 'Lap 5', facts: '{}', load: async () => opened }
  assert.equal(await store.reopen('Lap 5', false, async () => lap), true)
  const { session } = store.get()
  assert.deepEqual([session?.savedLap?.lapId, session?.isReopened], ['lap-1', true])
  store.forgetLap()
  assert.equal(store.get().session, null)
  const late = Promise.withResolvers<typeof opened>()
  const opening = store.reopen('Lap 5', false, async () => ({ ...lap, load: () => late.promise }))
  await new Promise(setImmediate)
  store.forgetLap()
  late.resolve(opened)
  assert.equal(await opening, false)
  const away = { ...lap, load: () => Promise.reject(new Error('away')) }
  assert.equal(await store.reopen('Lap 5', false, async () => away), false)
  assert.deepEqual(notices, ['The lap could not be opened.'])
})

test('forgets a saved lap, shown or on its way, and no file', async () => {
  const { store, calls } = harness()
  const opened = { preview, sizeBytes: 0 }
  const lap = { lapId: 'lap-1', name: 'Lap 5', facts: '{}', load: async () => opened }
  await store.openLap(lap)
  store.forgetLap()
  assert.equal(store.get().session, null)
  const late = Promise.withResolvers<typeof opened>()
  const opening = store.openLap({ ...lap, load: () => late.promise })
  store.forgetLap()
  late.resolve(opened)
  assert.equal(await opening, false)
  assert.deepEqual([store.get().session, store.get().reading], [null, null])
  store.choose([file('a.ibt')])
  store.forgetLap()
  await calls[0]!.answer(preview)
  store.forgetLap()
  assert.equal(store.get().session?.name, 'a.ibt')
})

test('replaces the first file by the second, whatever the first still answers', async () => {
  const { store, calls } = harness()
  store.choose([file('first.ibt')])
  store.choose([file('second.ibt')])
  assert.equal(calls[0]!.options.signal?.aborted, true)
  await calls[1]!.answer(preview)
  await calls[0]!.answer(withoutLap)
  calls[0]!.options.onProgress?.(0.9)
  assert.equal(store.get().session?.name, 'second.ibt')
  assert.equal(store.get().reading, null)
})

test('ignores a late failure of the first file', async () => {
  const { store, calls } = harness()
  store.choose([file('first.ibt')])
  store.choose([file('second.ibt')])
  await calls[0]!.fail(new ReadError('ibt.empty', 'This file is empty.'))
  assert.equal(store.get().reading?.name, 'second.ibt')
  assert.equal(store.get().problem, null)
})

test('cancels without a message, and keeps the loaded session', async () => {
  const { store, calls, notices } = harness()
  store.choose([file('first.ibt')])
  await calls[0]!.answer(preview)
  store.choose([file('second.ibt')])
  store.cancel()
  assert.equal(calls[1]!.options.signal?.aborted, true)
  await calls[1]!.fail(calls[1]!.options.signal?.reason)
  assert.equal(store.get().session?.name, 'first.ibt')
  assert.equal(store.get().reading, null)
  assert.deepEqual(notices, [])
})

test('shows the reader’s sentence for an unreadable file, and the specification’s for anything unforeseen', async () => {
  const failures: [unknown, string][] = [
    [new ReadError('ibt.empty', 'This file is empty.'), 'This file is empty.'],
    [new TypeError('x is undefined'), 'Preview failed'],
  ]
  for (const [error, sentence] of failures) {
    const { store, calls } = harness()
    store.choose([file('a.ibt')])
    await calls[0]!.fail(error)
    assert.equal(store.get().problem, sentence)
  }
})

test('reports the problem of the next file, and keeps the loaded session', async () => {
  const { store, calls, notices } = harness()
  store.trySample()
  await calls[0]!.answer(preview)
  store.choose([file('a.txt')])
  assert.deepEqual(notices, ['Only .ibt files are supported.'])
  assert.equal(store.get().session?.file, null)
  assert.equal(store.get().problem, null)
})

test('creates an id for each session, and forgets it on close', async () => {
  const { store, calls } = harness()
  store.choose([file('a.ibt')])
  await calls[0]!.answer(preview)
  const first = store.get().session?.id
  store.choose([file('a.ibt')])
  await calls[1]!.answer(preview)
  assert.notEqual(store.get().session?.id, first)
  store.close()
  assert.equal(store.get().session, null)
})

test('offers the other dropped files in their order, and each opens by a press', async () => {
  const { store, calls } = harness()
  const [a, b, c] = [file('a.ibt'), file('b.IBT'), file('c.ibt')]
  store.choose([file('notes.txt'), a, b, file('picture.png'), c])
  await calls[0]!.answer(preview)
  assert.deepEqual(store.get().offer, { files: [a, b, c], unlisted: 0, all: [a, b, c] })
  store.openOffered(c)
  await calls[1]!.answer(preview)
  assert.equal(store.get().session?.file, c)
  assert.deepEqual(store.get().offer?.files, [a, b, c])
  store.close()
  assert.deepEqual(store.get().offer?.files, [a, b, c])
  store.dismissOffer()
  assert.equal(store.get().offer, null)
})

test('offers nothing for a single file, which replaces an offer', () => {
  const { store } = harness()
  store.choose([file('a.ibt'), file('b.ibt')])
  store.choose([file('c.ibt'), file('notes.txt')])
  assert.equal(store.get().offer, null)
})

test('limits an offer, counts the rest, and includes the open file', () => {
  const { store } = harness()
  const large = Array.from({ length: MAX_OFFERED + 10 }, (_, index) => file(`${index}.ibt`, 104_857_601))
  const small = file('small.ibt')
  store.choose([...large, small])
  const { offer, reading } = store.get()
  assert.equal(reading?.name, 'small.ibt')
  assert.deepEqual([offer?.files.length, offer?.unlisted], [MAX_OFFERED, 11])
  assert.equal(offer?.files.at(-1), small)
})

test('says that an offered file is too large', () => {
  const { store } = harness()
  const large = file('large.ibt', 104_857_601)
  store.choose([file('a.ibt'), large])
  store.openOffered(large)
  assert.equal(store.get().problem, 'File is larger than 100 MB.')
})

test('opens the stored file again under its name, and says so', async () => {
  const { store, calls } = harness()
  const kept = file('a.ibt')
  const { promise, resolve } = Promise.withResolvers<File>()
  const isOpen = store.reopen('a.ibt', false, () => promise)
  assert.deepEqual([store.get().reading?.name, store.get().reading?.isReopened], ['a.ibt', true])
  resolve(kept)
  await promise
  await calls[0]!.answer(preview)
  assert.equal(await isOpen, true)
  assert.deepEqual([store.get().session?.file, store.get().session?.isReopened], [kept, true])
  store.choose([file('b.ibt')])
  await calls[1]!.answer(preview)
  assert.equal(store.get().session?.isReopened, false)
})

test('opens nothing and says nothing if this browser has stored nothing', async () => {
  const { store, calls, notices } = harness()
  assert.equal(await store.reopen('a.ibt', false, async () => null), false)
  assert.deepEqual(store.get(), {
    session: null,
    reading: null,
    problem: null,
    alternative: null,
    offer: null,
  })
  assert.deepEqual([calls.length, notices.length], [0, 0])
})

test('does not call a stored file changed if it cannot be read any more', async () => {
  const { store, calls } = harness()
  const isOpen = store.reopen('a.ibt', false, async () => file('a.ibt'))
  await Promise.resolve()
  await calls[0]!.fail(new ReadError('page.file_changed', 'The file has changed'))
  assert.equal(await isOpen, false)
  assert.equal(store.get().problem, NOT_REOPENED)
})

test('prefers a file that is chosen meanwhile to the stored one', async () => {
  const { store, calls } = harness()
  const { promise, resolve } = Promise.withResolvers<File>()
  const isOpen = store.reopen('kept.ibt', false, () => promise)
  store.choose([file('chosen.ibt')])
  resolve(file('kept.ibt'))
  assert.equal(await isOpen, false)
  assert.deepEqual(
    calls.map(({ name }) => name),
    ['chosen.ibt'],
  )
  assert.equal(store.get().reading?.name, 'chosen.ibt')
})
