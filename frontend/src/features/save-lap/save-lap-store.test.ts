import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILE_CHANGED } from '#shared/files/file-changes.ts'
import { NO_COMPLETE_LAP } from '#shared/laps/is-timed-lap.ts'
import { createManualClock, settle } from '#testing/manual-clock.ts'
import type { PostOptions } from './post-to-store.ts'
import { SaveError } from './save-error.ts'
import type { IngestAnswer, SavedLap, SaveLapApi, Ticket } from './save-lap-api.ts'
import { createSaveLapStore, LONGEST_JUDGING_MS, type SavePhase } from './save-lap-store.ts'

const lap: SavedLap = {
  ok: true,
  ingest_id: 'i',
  lap_id: 'l',
  context_id: 7,
  best_lap_time_ms: 51_088,
  previous_best_ms: null,
  rank: 5,
  boards: ['complete'],
}
const saved: IngestAnswer = { kind: 'saved', lap }
const skipped = (reason: string): IngestAnswer => ({ kind: 'skipped', reason })
const judging = (share: number): IngestAnswer => ({ kind: 'judging', ingestId: 'i', share })

const aFile = (name = 'lap.ibt') => new File(['telemetry'], name)
const timeout = new SaveError('ingest', 'Request timeout after 60000 ms')
const network = new SaveError('post', 'network error')
const refused = new SaveError('complete', '422 {…}', {
  sentence: 'This is no telemetry file.',
  isRefused: true,
})

type Call = 'init' | 'post' | 'complete' | 'ingest' | 'ingestState'

/** Returns a store whose calls answer what the test has prepared, and otherwise succeed. */
function harness() {
  const clock = createManualClock()
  const calls: Call[] = []
  const notices: string[] = []
  const retries: (() => void)[] = []
  const phases: SavePhase['kind'][] = []
  const prepared = new Map<Call, unknown[]>()
  let posts: { readonly ticket: Ticket; readonly file: File; readonly options: PostOptions }[] = []
  let tickets = 0
  let refetches = 0
  const signals: AbortSignal[] = []
  const changed = new Set<File>()

  async function answer<T>(call: Call, signal: AbortSignal, usual: () => T): Promise<T> {
    calls.push(call)
    signals.push(signal)
    const next = prepared.get(call)?.shift()
    if (next instanceof Error) throw next
    const value = await (next ?? usual())
    signal.throwIfAborted()
    return value as T
  }

  const api: SaveLapApi = {
    init: (_file, signal) =>
      answer('init', signal, () => ({
        sessionId: 's',
        key: `k${++tickets}`,
        url: 'u',
        fields: {},
        traceparent: 't',
      })),
    complete: (_ticket, _name, signal) => answer('complete', signal, () => undefined),
    ingest: (_ticket, signal) => answer('ingest', signal, () => saved),
    ingestState: (_id, signal) => answer('ingestState', signal, () => saved),
  }
  const store = createSaveLapStore({
    api,
    post(ticket, file, options) {
      posts.push({ ticket, file, options })
      return answer('post', options.signal, () => undefined)
    },
    notify: {
      success: sentence => void notices.push(`success: ${sentence}`),
      info: sentence => void notices.push(`info: ${sentence}`),
      error(sentence, { detail, onRetry } = {}) {
        notices.push(`error: ${sentence}${detail ? ` (${detail})` : ''}`)
        if (onRetry) retries.push(onRetry)
      },
    },
    hasChanged: async file => changed.has(file),
    nowMs: clock.nowMs,
    after: clock.after,
    onJudged: () => void refetches++,
  })
  store.subscribe(() => {
    const { kind } = store.get().phase
    if (phases.at(-1) !== kind) phases.push(kind)
  })
  return {
    clock,
    store,
    calls,
    notices,
    retries,
    phases,
    signals,
    changed,
    posts: () => posts,
    forgetPosts: () => {
      posts = []
    },
    refetches: () => refetches,
    prepare(call: Call, ...answers: unknown[]) {
      prepared.set(call, [...(prepared.get(call) ?? []), ...answers])
    },
    phase: () => store.get().phase,
  }
}

test('announces, posts, checks and judges a file; shows the toast, and fetches boards 100 ms later', async () => {
  const { clock, store, calls, notices, phases, posts, refetches } = harness()
  const file = aFile()
  store.start(file)
  await settle()
  assert.deepEqual(calls, ['init', 'post', 'complete', 'ingest'])
  assert.deepEqual([posts()[0]?.file, posts()[0]?.ticket.key], [file, 'k1'])
  assert.deepEqual(phases, ['preparing', 'sending', 'checking', 'judging', 'saved'])
  assert.deepEqual(notices, ['success: Best lap saved to leaderboard!'])
  await clock.advance(99)
  assert.equal(refetches(), 0)
  await clock.advance(1)
  assert.equal(refetches(), 1)
})

test('reports progress once per percent', async () => {
  const { store, posts, prepare } = harness()
  prepare('post', new Promise(() => {}))
  store.start(aFile())
  await settle()
  const shares: number[] = []
  store.subscribe(() => {
    const { phase } = store.get()
    if (phase.kind === 'sending') shares.push(phase.share)
  })
  for (let sent = 0; sent <= 1000; sent++) posts()[0]!.options.onProgress(sent / 1000)
  assert.equal(shares.length, 100)
  assert.equal(shares.at(-1), 1)
})

test('reports a file without a complete lap as an error, and any other skip as known already', async () => {
  const cases: [string, string][] = [
    ['no_complete_lap', `error: ${NO_COMPLETE_LAP}`],
    ['not_faster', 'info: Your fastest lap already exists in leaderboard.'],
    ['already_ingested', 'info: Your fastest lap already exists in leaderboard.'],
    ['held_for_review', 'info: Your lap is held for review.'],
    ['a reason of tomorrow', 'info: Your fastest lap already exists in leaderboard.'],
  ]
  for (const [reason, toast] of cases) {
    const { store, notices, phase, prepare } = harness()
    prepare('ingest', skipped(reason))
    store.start(aFile())
    await settle()
    assert.deepEqual(notices, [toast])
    assert.deepEqual(phase(), { kind: 'skipped', reason })
  }
})

test('polls a file that is still being judged every two seconds until it is done', async () => {
  const { clock, store, calls, notices, phase, prepare } = harness()
  prepare('ingest', judging(0.25))
  prepare('ingestState', judging(0.5), judging(0.75), saved)
  store.start(aFile())
  await settle()
  assert.deepEqual(phase(), { kind: 'judging', share: 0.25 })
  await clock.advance(2000)
  assert.deepEqual(phase(), { kind: 'judging', share: 0.5 })
  await clock.advance(4000)
  assert.equal(calls.filter(call => call === 'ingestState').length, 3)
  assert.deepEqual(notices, ['success: Best lap saved to leaderboard!'])
})

test('reports a file that is never done as timed out', async () => {
  const { clock, store, notices, prepare } = harness()
  prepare('ingest', judging(0), judging(0), judging(0), judging(0))
  prepare('ingestState', ...Array.from({ length: 3000 }, () => judging(0.5)))
  store.start(aFile())
  await clock.advance(4 * (LONGEST_JUDGING_MS + 2000) + 7000)
  assert.equal(notices.at(-1), 'error: Upload failed: Request timed out')
})

test('retries time-outs, network and fetch errors after 1, 2 and 4 s, and no more', async () => {
  const failures = [timeout, network, new SaveError('init', 'Failed to fetch'), timeout]
  for (const step of ['init', 'post', 'complete', 'ingest'] as const) {
    const { clock, store, calls, notices, prepare, phase } = harness()
    prepare(step, ...failures)
    store.start(aFile())
    await settle()
    assert.deepEqual(phase(), { kind: 'pausing', retry: 1 })
    for (const [index, waitMs] of [1000, 2000, 4000].entries()) {
      const before = calls.length
      await clock.advance(waitMs - 1)
      assert.equal(calls.length, before)
      await clock.advance(1)
      assert.equal(calls[before], step, `retry ${index + 1} goes on with ${step}`)
    }
    assert.deepEqual(notices, [
      'info: Upload failed, retrying... (1/3)',
      'info: Upload failed, retrying... (2/3)',
      'info: Upload failed, retrying... (3/3)',
      'error: Upload failed: Request timed out',
    ])
    assert.deepEqual(phase(), {
      kind: 'failed',
      sentence: 'Upload failed: Request timed out',
      canRetry: true,
    })
  }
})

test('treats a successful retry like a first try, and sends nothing twice', async () => {
  const { clock, store, calls, notices, prepare } = harness()
  prepare('ingest', timeout)
  store.start(aFile())
  await clock.advance(1000)
  assert.deepEqual(calls, ['init', 'post', 'complete', 'ingest', 'ingest'])
  assert.equal(notices.at(-1), 'success: Best lap saved to leaderboard!')
})

test('continues a broken post with its ticket while that is young, and with a new one when it is old', async () => {
  const { clock, store, posts, prepare, phase } = harness()
  prepare('post', network, network, network, network)
  store.start(aFile())
  await clock.advance(7000)
  assert.equal(phase().kind, 'failed')
  await clock.advance(6 * 60_000)
  store.retry()
  await settle()
  assert.deepEqual(
    posts().map(({ ticket }) => ticket.key),
    ['k1', 'k1', 'k1', 'k1', 'k2'],
  )
})

test('does not retry anything else: shows the server’s own sentence for a refusal, else the specification’s', async () => {
  const cases: [SaveError, string][] = [
    [refused, 'error: This is no telemetry file.'],
    [
      new SaveError('ingest', '503 {"code":"ingest.busy"}', { sentence: 'Busy. Try again soon.' }),
      'error: Upload failed: Please try again. (Busy. Try again soon.)',
    ],
    [
      new SaveError('post', '403 AccessDenied', { isRefused: true }),
      'error: Upload failed: Please try again.',
    ],
  ]
  for (const [error, toast] of cases) {
    const { clock, store, calls, notices, prepare } = harness()
    prepare('complete', error)
    store.start(aFile())
    await clock.advance(60_000)
    assert.deepEqual(notices, [toast])
    assert.equal(calls.filter(call => call === 'complete').length, 1)
  }
})

test('offers Retry in the toast of a failure, which continues where it failed', async () => {
  const { clock, store, calls, notices, retries, prepare } = harness()
  prepare('ingest', new SaveError('ingest', '503'))
  store.start(aFile())
  await settle()
  retries[0]!()
  await clock.advance(0)
  assert.deepEqual(calls, ['init', 'post', 'complete', 'ingest', 'ingest'])
  assert.equal(notices.at(-1), 'success: Best lap saved to leaderboard!')
})

test('offers no Retry if the file itself is the reason', async () => {
  const { store, retries, prepare } = harness()
  const sentence = 'These laps were driven elsewhere.'
  prepare('ingest', new SaveError('ingest', '422 {…}', { sentence, isRefused: true, isOfTheFile: true }))
  store.start(aFile())
  await settle()
  assert.deepEqual(store.get().phase, { kind: 'failed', sentence, canRetry: false })
  assert.deepEqual(retries, [])
})

test('restarts from the first step if Retry follows a refusal', async () => {
  const { store, calls, prepare } = harness()
  prepare('complete', refused)
  store.start(aFile())
  await settle()
  store.retry()
  await settle()
  assert.deepEqual(calls, ['init', 'post', 'complete', 'init', 'post', 'complete', 'ingest'])
})

test('reports a Retry that fails too, and a refusal keeps its own sentence', async () => {
  const { clock, store, notices, prepare } = harness()
  prepare('ingest', new SaveError('ingest', '500'), new SaveError('ingest', '500'))
  prepare('complete', undefined, refused)
  store.start(aFile())
  await settle()
  store.retry()
  await clock.advance(0)
  assert.equal(
    notices.at(-1),
    'error: Retry failed, please try uploading again. (Upload failed: Please try again.)',
  )
  const other = harness()
  other.prepare('complete', refused, refused)
  other.store.start(aFile())
  await settle()
  other.store.retry()
  await settle()
  assert.equal(other.notices.at(-1), 'error: This is no telemetry file.')
})

test('says that there is no file if Retry has none, and ignores Retry during a save', async () => {
  const { store, calls, notices, prepare } = harness()
  store.retry()
  assert.deepEqual(notices, ['error: No previous upload to retry'])
  prepare('post', new Promise(() => {}))
  store.start(aFile())
  await settle()
  store.retry()
  await settle()
  assert.deepEqual(calls, ['init', 'post'])
})

test('ends the save of the last file when another one comes, whatever its calls still answer', async () => {
  const { store, notices, phase, posts, signals, prepare } = harness()
  const { promise, resolve } = Promise.withResolvers<void>()
  prepare('post', promise)
  store.start(aFile('first.ibt'))
  await settle()
  store.start(aFile('second.ibt'))
  assert.equal(signals[1]?.aborted, true)
  resolve()
  await settle()
  assert.deepEqual(
    posts().map(({ file }) => file.name),
    ['first.ibt', 'second.ibt'],
  )
  assert.equal(phase().kind, 'saved')
  assert.deepEqual(notices, ['success: Best lap saved to leaderboard!'])
})

test('forgets the file when stopped, also while it waits for a retry', async () => {
  const { clock, store, calls, notices, phase, prepare } = harness()
  prepare('post', network)
  store.start(aFile())
  await settle()
  assert.equal(phase().kind, 'pausing')
  store.stop()
  await clock.advance(60_000)
  assert.deepEqual(calls, ['init', 'post'])
  assert.deepEqual(phase(), { kind: 'idle' })
  store.retry()
  assert.equal(notices.at(-1), 'error: No previous upload to retry')
})

test('cancels without a message, and Retry starts it again', async () => {
  const { store, notices, phase, signals, prepare } = harness()
  prepare('post', new Promise(() => {}))
  store.start(aFile())
  await settle()
  store.cancel()
  assert.equal(signals[1]?.aborted, true)
  assert.deepEqual(phase(), { kind: 'cancelled' })
  assert.deepEqual(notices, [])
  store.retry()
  await settle()
  assert.equal(phase().kind, 'saved')
  store.cancel()
  assert.equal(phase().kind, 'saved')
})

test('counts the server’s time from the first judging, and again from each Retry', async () => {
  const { clock, store, prepare } = harness()
  prepare('ingest', timeout, new SaveError('ingest', '500'), judging(0))
  store.start(aFile())
  await settle()
  const firstMs = clock.nowMs()
  assert.equal(store.get().judgedSinceMs, firstMs)
  await clock.advance(1000)
  assert.equal(store.get().judgedSinceMs, firstMs)
  await clock.advance(5000)
  store.retry()
  await settle()
  assert.equal(store.get().judgedSinceMs, clock.nowMs())
})

test('rejects a file that changed before it is sent with its own sentence, and announces nothing', async () => {
  const { store, calls, notices, retries, changed, phase } = harness()
  const file = aFile()
  changed.add(file)
  store.start(file)
  await settle()
  assert.deepEqual(calls, [])
  assert.deepEqual(notices, [`error: ${FILE_CHANGED}`])
  assert.deepEqual(phase(), { kind: 'failed', sentence: FILE_CHANGED, canRetry: false })
  assert.deepEqual(retries, [])
})

test('reports a post that breaks because the file changed immediately, without a retry', async () => {
  const { clock, store, calls, notices, changed, prepare } = harness()
  const file = aFile()
  const { promise, reject } = Promise.withResolvers<void>()
  prepare('post', promise)
  store.start(file)
  await settle()
  changed.add(file)
  reject(network)
  await clock.advance(60_000)
  assert.deepEqual(calls, ['init', 'post'])
  assert.deepEqual(notices, [`error: ${FILE_CHANGED}`])
})

test('reports a file that changed before Retry, and sends nothing', async () => {
  const { store, calls, notices, changed, phase, prepare } = harness()
  const file = aFile()
  prepare('init', new SaveError('init', '503'))
  store.start(file)
  await settle()
  changed.add(file)
  store.retry()
  await settle()
  assert.deepEqual(calls, ['init'])
  assert.equal(notices.at(-1), `error: ${FILE_CHANGED}`)
  assert.deepEqual(phase(), { kind: 'failed', sentence: FILE_CHANGED, canRetry: false })
})

test('judges what the server already has, even if the file changes', async () => {
  const { clock, store, notices, changed, prepare } = harness()
  const file = aFile()
  prepare('ingest', timeout)
  store.start(file)
  await settle()
  changed.add(file)
  await clock.advance(1000)
  assert.equal(notices.at(-1), 'success: Best lap saved to leaderboard!')
})

test('does not send a resumed file before Retry', async () => {
  const { store, calls, notices, phase } = harness()
  store.resume(aFile(), { kind: 'cancelled' })
  await settle()
  assert.deepEqual([calls, notices, phase()], [[], [], { kind: 'cancelled' }])
  store.retry()
  await settle()
  assert.deepEqual(calls, ['init', 'post', 'complete', 'ingest'])
  assert.equal(phase().kind, 'saved')
})
