import { FILE_CHANGED } from '#shared/files/file-changes.ts'
import { NO_COMPLETE_LAP } from '#shared/laps/is-timed-lap.ts'
import type { Notify } from '#shared/notify/notify.ts'
import { createStore, type Readable } from '#shared/store/store.ts'
import { type After, wait } from '#shared/time/timers.ts'
import type { PostToStore } from './post-to-store.ts'
import { finalSentence, isWorthRepeating, SaveError, saveErrorOf } from './save-error.ts'
import type { IngestAnswer, Outcome, SavedLap, SaveLapApi, Ticket } from './save-lap-api.ts'

/** A save that has not ended. */
export type UnderWayPhase =
  | { readonly kind: 'preparing' }
  /** `share` of the file, 0..1. */
  | { readonly kind: 'sending'; readonly share: number }
  | { readonly kind: 'checking' }
  /** `share` is null until the server reports it. */
  | { readonly kind: 'judging'; readonly share: number | null }
  /** Waits before the next try. */
  | { readonly kind: 'pausing'; readonly retry: number }

/** The state of saving the loaded file. */
export type SavePhase =
  | { readonly kind: 'idle' }
  | UnderWayPhase
  | { readonly kind: 'saved'; readonly lap: SavedLap }
  | { readonly kind: 'skipped'; readonly reason: string; readonly leftOut?: number }
  | { readonly kind: 'failed'; readonly sentence: string; readonly canRetry: boolean }
  | { readonly kind: 'cancelled' }

export interface SaveState {
  readonly phase: SavePhase
  /** When the server first had the whole file, by `nowMs`; null before. */
  readonly judgedSinceMs: number | null
}

/** Saves the best lap of one file at a time. */
export interface SaveLapStore extends Readable<SaveState> {
  /** Begins with another file and ends the save of the one before. */
  start(file: File): void
  /** Continues with a file that was saved, skipped or cancelled before. Sends nothing before `retry`. */
  resume(file: File, phase: SavePhase): void
  /** Ends the save and forgets the file, because the file is closed or its driver signed out. */
  stop(): void
  /** Ends the save because the driver does not want it; `retry` starts it again. */
  cancel(): void
  /** Tries the last file again, from the step that failed. */
  retry(): void
}

interface SaveLapDeps {
  readonly api: SaveLapApi
  readonly post: PostToStore
  readonly notify: Notify
  /** Returns whether the file on disk is no longer the one that was read. */
  readonly hasChanged: (file: File) => Promise<boolean>
  readonly nowMs: () => number
  readonly after: After
  /** Called when the server has judged the file; boards may have changed. */
  readonly onJudged: () => void
}

/** Milliseconds before each of the retries. */
const RETRY_WAITS_MS = [1000, 2000, 4000] as const
/** Milliseconds between two status requests for a file that is still being judged. */
const POLL_EVERY_MS = 2000
/** Milliseconds after which a file that is still being judged counts as failed. */
export const LONGEST_JUDGING_MS = 15 * 60_000
/** Milliseconds. A ticket is valid for ten minutes; an older one could expire during the post. */
const TICKET_REUSE_MS = 5 * 60_000

/** Milliseconds from the outcome to the next fetch of the boards. */
const REFETCH_DELAY_MS = 100

const HELD_FOR_REVIEW = 'Your lap is held for review.'

/** The finished steps of a file, so that a retry does not send 100 MB a second time. */
interface Done {
  ticket: Ticket | null
  ticketAtMs: number
  isPosted: boolean
  isChecked: boolean
}

const nothingDone = (): Done => ({ ticket: null, ticketAtMs: 0, isPosted: false, isChecked: false })

export function createSaveLapStore(deps: SaveLapDeps): SaveLapStore {
  const { api, post, notify, hasChanged, nowMs, after, onJudged } = deps
  const { get, subscribe, set } = createStore<SaveState>({ phase: { kind: 'idle' }, judgedSinceMs: null })
  let judgedSinceMs: number | null = null
  let file: File | null = null
  let done = nothingDone()
  let running: AbortController | null = null

  const show = (phase: SavePhase) => set({ phase, judgedSinceMs })

  function endSave() {
    running?.abort()
    running = null
    judgedSinceMs = null
  }

  async function run(of: File, isRetry: boolean): Promise<void> {
    endSave()
    const mine = new AbortController()
    running = mine
    const { signal } = mine
    try {
      const outcome = await withRetries(of, signal)
      if (running !== mine) return
      running = null
      finish(outcome)
    } catch (error) {
      if (running !== mine) return
      running = null
      fail(saveErrorOf('ingest', error), isRetry)
    }
  }

  async function withRetries(of: File, signal: AbortSignal): Promise<Outcome> {
    for (let retry = 0; ; retry++) {
      try {
        return await attempt(of, signal)
      } catch (error) {
        signal.throwIfAborted()
        const waitMs = RETRY_WAITS_MS[retry]
        if (waitMs === undefined || !isWorthRepeating(error as Error)) throw error
        notify.info(`Upload failed, retrying... (${retry + 1}/${RETRY_WAITS_MS.length})`)
        show({ kind: 'pausing', retry: retry + 1 })
        await wait(after, waitMs, signal)
      }
    }
  }

  /** Does the steps that are missing. Each may run twice without harm. */
  async function attempt(of: File, signal: AbortSignal): Promise<Outcome> {
    const own = done
    if (!own.isPosted) {
      show({ kind: 'preparing' })
      await refuseChanged(of)
      signal.throwIfAborted()
      if (own.ticket === null || nowMs() - own.ticketAtMs > TICKET_REUSE_MS) {
        own.ticket = await api.init(of, signal)
        own.ticketAtMs = nowMs()
      }
      show({ kind: 'sending', share: 0 })
      try {
        await post(own.ticket, of, { signal, onProgress: share => progress(share, signal) })
      } catch (error) {
        // A browser reports a file that it cannot read any more as a lost connection.
        if (!signal.aborted) await refuseChanged(of)
        throw error
      }
      own.isPosted = true
    }
    const ticket = own.ticket!
    if (!own.isChecked) {
      show({ kind: 'checking' })
      await api.complete(ticket, of.name, signal)
      own.isChecked = true
    }
    judgedSinceMs ??= nowMs()
    show({ kind: 'judging', share: null })
    return follow(await api.ingest(ticket, signal), signal)
  }

  /** @throws SaveError if the file on disk has changed: another try would send the same wrong bytes */
  async function refuseChanged(of: File): Promise<void> {
    if (!(await hasChanged(of))) return
    throw new SaveError('post', 'the file on disk is another one', {
      sentence: FILE_CHANGED,
      isRefused: true,
      isOfTheFile: true,
    })
  }

  async function follow(first: IngestAnswer, signal: AbortSignal): Promise<Outcome> {
    const startedMs = nowMs()
    let answer = first
    while (answer.kind === 'judging') {
      if (nowMs() - startedMs >= LONGEST_JUDGING_MS) {
        throw new SaveError('ingest', `Request timeout after ${LONGEST_JUDGING_MS} ms`)
      }
      show({ kind: 'judging', share: answer.share })
      await wait(after, POLL_EVERY_MS, signal)
      answer = await api.ingestState(answer.ingestId, signal)
    }
    return answer
  }

  /** Stores whole percents only, because the browser reports every piece that it sends. */
  function progress(share: number, signal: AbortSignal) {
    const { phase } = get()
    if (signal.aborted || phase.kind !== 'sending') return
    if (Math.floor(share * 100) !== Math.floor(phase.share * 100)) show({ kind: 'sending', share })
  }

  function finish(outcome: Outcome) {
    show(outcome)
    if (outcome.kind === 'saved') {
      notify.success('Best lap saved to leaderboard!')
      if (outcome.lap.held_lap_id !== undefined) notify.info(HELD_FOR_REVIEW)
    } else if (outcome.reason === 'held_for_review') notify.info(HELD_FOR_REVIEW)
    else if (outcome.reason === 'no_complete_lap') notify.error(NO_COMPLETE_LAP)
    else notify.info('Your fastest lap already exists in leaderboard.')
    after(REFETCH_DELAY_MS, onJudged)
  }

  function fail(error: SaveError, isRetry: boolean) {
    // After a refusal start again from the first step; after a lost connection continue.
    if (error.isRefused) done = nothingDone()
    const { sentence, detail } = finalSentence(error)
    const canRetry = !error.isOfTheFile
    show({ kind: 'failed', sentence, canRetry })
    const more = canRetry ? { onRetry: retry } : {}
    if (isRetry && !error.isRefused) {
      notify.error('Retry failed, please try uploading again.', { ...more, detail: detail ?? sentence })
    } else {
      notify.error(sentence, { ...more, detail })
    }
  }

  function retry() {
    if (file === null) return notify.error('No previous upload to retry')
    if (running !== null) return
    void run(file, true)
  }

  return {
    get,
    subscribe,
    start(next) {
      file = next
      done = nothingDone()
      void run(next, false)
    },
    resume(next, phase) {
      endSave()
      file = next
      done = nothingDone()
      show(phase)
    },
    stop() {
      endSave()
      file = null
      done = nothingDone()
      if (get().phase.kind !== 'idle') show({ kind: 'idle' })
    },
    cancel() {
      if (running === null) return
      endSave()
      show({ kind: 'cancelled' })
    },
    retry,
  }
}
