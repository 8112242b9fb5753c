import { ReadError } from '#shared/files/read-error.ts'
import { createStore, type Readable } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'
import type { SavePhase, SaveState } from './save-lap-store.ts'

/** The best lap of the open file, as a file of its own. */
export type BestLap =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'cutting' }
  | { readonly kind: 'ready'; readonly file: File }
  /** No part of the file gets the verdict of the whole. */
  | { readonly kind: 'impossible' }
  | { readonly kind: 'failed'; readonly sentence: string }

export interface BestLapState {
  readonly lap: BestLap
  /** The whole file is being sent, and that takes long, or did until it failed. */
  readonly isSlow: boolean
}

/** Finds out whether to offer the best lap of one file in place of the whole file. */
export interface BestLapStore extends Readable<BestLapState> {
  /** Cuts the lap, once; after a failure again. */
  cut(): void
  /** Watches the save of the file, and cuts the lap if it is slow. Returns the function that ends all of this. */
  start(): () => void
}

interface BestLapDeps {
  readonly save: Readable<SaveState>
  /** Resolves to null if the lap cannot be cut. */
  readonly cutLap: (signal: AbortSignal) => Promise<File | null>
  readonly nowMs: () => number
  readonly after: After
}

/** Milliseconds of sending before its speed is known. */
const MEASURE_MS = 3000
/** A driver waits this long for the rest of the file without an offer, milliseconds. */
export const MOST_LEFT_MS = 20_000
/** Milliseconds between two looks at the progress, because a stalled connection reports none. */
const LOOK_EVERY_MS = 1000

const NOT_CUT = 'The best lap could not be read. Please try it again.'

export function createBestLapStore({ save, cutLap, nowMs, after }: BestLapDeps): BestLapStore {
  const { get, subscribe, patch } = createStore<BestLapState>({ lap: { kind: 'unknown' }, isSlow: false })
  let sendingSinceMs: number | null = null
  let stopLooking = () => {}
  let end = new AbortController()

  async function cut(): Promise<void> {
    const { kind } = get().lap
    if (kind !== 'unknown' && kind !== 'failed') return
    patch({ lap: { kind: 'cutting' } })
    const { signal } = end
    try {
      const file = await cutLap(signal)
      if (!signal.aborted) patch({ lap: file ? { kind: 'ready', file } : { kind: 'impossible' } })
    } catch (error) {
      const sentence = error instanceof ReadError ? error.message : NOT_CUT
      if (!signal.aborted) patch({ lap: { kind: 'failed', sentence } })
    }
  }

  function look(): void {
    stopLooking()
    const { phase } = save.get()
    if (phase.kind !== 'sending') {
      sendingSinceMs = null
      if (!isBeforeNextTry(phase)) patchSlow(false)
      return
    }
    sendingSinceMs ??= nowMs()
    const sinceMs = nowMs() - sendingSinceMs
    if (sinceMs >= MEASURE_MS && isSlowSend(phase.share, sinceMs)) {
      patchSlow(true)
      void cut()
    }
    stopLooking = after(LOOK_EVERY_MS, look)
  }

  function patchSlow(isSlow: boolean): void {
    if (get().isSlow !== isSlow) patch({ isSlow })
  }

  return {
    get,
    subscribe,
    cut: () => void cut(),
    start() {
      end = new AbortController()
      const stopWatching = save.subscribe(look)
      look()
      return () => {
        stopWatching()
        stopLooking()
        end.abort()
        sendingSinceMs = null
        patch({ lap: { kind: 'unknown' }, isSlow: false })
      }
    },
  }
}

/** Returns whether the file was not sent yet, so that the connection is as slow as before. */
function isBeforeNextTry(phase: SavePhase): boolean {
  return phase.kind === 'pausing' || phase.kind === 'preparing' || (phase.kind === 'failed' && phase.canRetry)
}

/** Returns whether the rest takes longer than `MOST_LEFT_MS` at the speed so far. */
export function isSlowSend(share: number, sinceMs: number): boolean {
  return sinceMs * (1 - share) > MOST_LEFT_MS * share
}
