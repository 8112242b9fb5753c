import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReadError } from '#shared/files/read-error.ts'
import { createStore } from '#shared/store/store.ts'
import { createManualClock, settle } from '#testing/manual-clock.ts'
import { createBestLapStore, isSlowSend, MOST_LEFT_MS } from './best-lap-store.ts'
import type { SavePhase, SaveState } from './save-lap-store.ts'

const lap = new File(['lap'], 'session lap 7.ibt')

/** Returns a store over a save that the test moves, and what each cut of the lap resolves to. */
function harness(cuts: readonly (File | null | Error)[] = [lap]) {
  const clock = createManualClock()
  const save = createStore<SaveState>({ phase: { kind: 'idle' }, judgedSinceMs: null })
  const signals: AbortSignal[] = []
  const store = createBestLapStore({
    save,
    async cutLap(signal) {
      const result = cuts[signals.push(signal) - 1]!
      if (result instanceof Error) throw result
      return result
    },
    nowMs: clock.nowMs,
    after: clock.after,
  })
  const stop = store.start()
  return { clock, store, stop, signals, to: (phase: SavePhase) => save.set({ phase, judgedSinceMs: null }) }
}

const sending = (share: number): SavePhase => ({ kind: 'sending', share })

test('finds a send slow by the time that the rest takes at the speed so far', () => {
  assert.equal(isSlowSend(0.5, MOST_LEFT_MS), false)
  assert.equal(isSlowSend(0.49, MOST_LEFT_MS), true)
  assert.equal(isSlowSend(0, 1), true)
  assert.equal(isSlowSend(1, 3_600_000), false)
})

test('cuts the lap of a file that is sent slowly, also if no byte is sent at all', async () => {
  for (const share of [0, 0.02]) {
    const { clock, store, to, signals } = harness()
    to(sending(0))
    to(sending(share))
    await clock.advance(2000)
    assert.deepEqual([store.get().isSlow, signals.length], [false, 0])
    await clock.advance(2000)
    assert.deepEqual(store.get(), { lap: { kind: 'ready', file: lap }, isSlow: true })
    await clock.advance(60_000)
    assert.equal(signals.length, 1)
  }
})

test('cuts nothing while a file is sent fast', async () => {
  const { clock, store, to, signals } = harness()
  to(sending(0))
  for (let share = 0; share < 1; share += 0.1) {
    to(sending(share))
    await clock.advance(1000)
  }
  to({ kind: 'checking' })
  await clock.advance(60_000)
  assert.deepEqual([store.get().isSlow, signals.length, clock.waiting()], [false, 0, []])
})

test('stays slow until the file is sent, through retries and a failure', async () => {
  const { clock, store, to } = harness()
  to(sending(0))
  await clock.advance(5000)
  const failed = { kind: 'failed', sentence: 'Upload failed: Request timed out', canRetry: true } as const
  for (const phase of [{ kind: 'pausing', retry: 1 }, failed, { kind: 'preparing' }, sending(0)] as const) {
    to(phase)
    assert.equal(store.get().isSlow, true)
  }
  to({ kind: 'checking' })
  assert.equal(store.get().isSlow, false)
})

test('cuts a lap once, and again after a failure', async () => {
  const { store, signals } = harness([new ReadError('page.file_changed', 'It changed.'), new Error('?'), lap])
  for (const sentence of ['It changed.', 'The best lap could not be read. Please try it again.']) {
    store.cut()
    store.cut()
    assert.equal(store.get().lap.kind, 'cutting')
    await settle()
    assert.deepEqual(store.get().lap, { kind: 'failed', sentence })
  }
  store.cut()
  await settle()
  store.cut()
  assert.deepEqual([store.get().lap, signals.length], [{ kind: 'ready', file: lap }, 3])
})

test('says that a lap cannot be cut', async () => {
  const { store } = harness([null])
  store.cut()
  await settle()
  assert.deepEqual(store.get().lap, { kind: 'impossible' })
})

test('ends the cut when the file is closed, and begins again when it is shown again', async () => {
  const { clock, store, stop, signals, to } = harness([lap, lap])
  to(sending(0))
  store.cut()
  stop()
  await settle()
  assert.deepEqual([signals[0]!.aborted, store.get().lap, clock.waiting()], [true, { kind: 'unknown' }, []])
  store.start()
  store.cut()
  await settle()
  assert.equal(store.get().lap.kind, 'ready')
})
