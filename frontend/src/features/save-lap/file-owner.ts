import { sentenceOf } from '#shared/api/problem.ts'
import type { Notify } from '#shared/notify/notify.ts'
import { createStore, type Readable } from '#shared/store/store.ts'
import type { DriverNumber, DriverNumberApi } from './driver-number-api.ts'
import type { SaveLapStore } from './save-lap-store.ts'
import type { SettledSave } from './settled-save.ts'

/** What the driver must know about the driver number of the loaded file (D-11). */
export type FileOwnerPhase =
  | { readonly kind: 'idle' }
  /** Checks whether to ask the driver. */
  | { readonly kind: 'checking' }
  /** Sends nothing before the driver confirms that the file is theirs. */
  | {
      readonly kind: 'asking'
      /** Null if the number could not be read. */
      readonly number: string | null
      /** The number that is bound to the account; null if it is unknown. */
      readonly boundNumber: string | null
    }
  /** The save has bound the number, or another account also claims it. */
  | {
      readonly kind: 'claimed'
      readonly number: string
      readonly isDisputed: boolean
      readonly canUndo: boolean
    }
  | { readonly kind: 'undone'; readonly number: string }

/** Checks a file's driver number before its save starts. */
export interface FileOwnerStore extends Readable<FileOwnerPhase> {
  /** Saves the best lap of a file, immediately or after the driver has confirmed that the file is theirs. */
  start(file: File): void
  /** Continues with a file whose save ended before. Sends nothing before `retry` of the save. */
  resume(file: File, settled: SettledSave): void
  stop(): void
  /** Confirms, for the driver, that the file is theirs. */
  confirm(): void
  /** Frees the number that the save has bound. */
  undo(): Promise<void>
}

interface FileOwnerDeps {
  readonly save: Pick<SaveLapStore, 'get' | 'subscribe' | 'start' | 'resume' | 'stop'>
  readonly api: DriverNumberApi
  /**
   * Reads the number in the browser. Resolves to null if the file names no driver or cannot be read. Rejects if
   * its code cannot be loaded.
   */
  readonly readNumber: (file: File) => Promise<FileNumber | null>
  readonly notify: Pick<Notify, 'error'>
}

export type FileNumber = Pick<DriverNumber, 'sim' | 'driver_number'>

interface Running {
  readonly file: File
  readonly signal: AbortSignal
  number: FileNumber | null
  /** The number as the account had it before the save; null if it had none. */
  before: DriverNumber | null
  isClaimChecked: boolean
}

const IDLE: FileOwnerPhase = { kind: 'idle' }

export function createFileOwnerStore({ save, api, readNumber, notify }: FileOwnerDeps): FileOwnerStore {
  const { get, subscribe, set } = createStore<FileOwnerPhase>(IDLE)
  let running: Running | null = null
  let controller = new AbortController()

  function send({ file }: Running) {
    set(IDLE)
    save.start(file)
  }

  async function check(attempt: Running): Promise<void> {
    let number: FileNumber | null
    try {
      number = await readNumber(attempt.file)
    } catch {
      // Offline, or the page is older than the latest release.
      if (running !== attempt) return
      return set({ kind: 'asking', number: null, boundNumber: null })
    }
    if (running !== attempt) return
    if (number === null) return send(attempt)
    attempt.number = number
    let known: readonly DriverNumber[]
    try {
      known = await api.list(attempt.signal)
    } catch {
      if (running !== attempt) return
      return set({ kind: 'asking', number: number.driver_number, boundNumber: null })
    }
    if (running !== attempt) return
    attempt.before = find(known, number)
    const bound = known.find(one => one.sim === number.sim && one.bound_at !== null)
    // The driver confirmed this before if the account has a claim that no moderator has decided.
    const isOwn = attempt.before !== null && (attempt.before.bound_at !== null || attempt.before.is_disputed)
    if (bound === undefined || isOwn) send(attempt)
    else set({ kind: 'asking', number: number.driver_number, boundNumber: bound.driver_number })
  }

  /** Finds out after the save whether it bound the number, or whether the number is in dispute. */
  async function checkClaim(attempt: Running, number: FileNumber): Promise<void> {
    // The lap is saved: if this call fails, only the line is missing.
    const known = await api.list(attempt.signal).catch(() => [])
    const now = find(known, number)
    if (running !== attempt || now === null) return
    const isBoundNew = now.bound_at !== null && (attempt.before?.bound_at ?? null) === null
    const isDisputedNew = now.is_disputed && attempt.before?.is_disputed !== true
    if (!isBoundNew && !isDisputedNew) return
    const { driver_number, is_disputed, can_undo } = now
    set({ kind: 'claimed', number: driver_number, isDisputed: is_disputed, canUndo: can_undo })
  }

  save.subscribe(() => {
    const { kind } = save.get().phase
    const attempt = running
    if (attempt === null || attempt.number === null || attempt.isClaimChecked) return
    if (kind !== 'saved' && kind !== 'skipped') return
    attempt.isClaimChecked = true
    void checkClaim(attempt, attempt.number)
  })

  function end() {
    controller.abort()
    running = null
    save.stop()
  }

  return {
    get,
    subscribe,
    start(file) {
      end()
      controller = new AbortController()
      running = { file, signal: controller.signal, number: null, before: null, isClaimChecked: false }
      set({ kind: 'checking' })
      void check(running)
    },
    resume(file, settled) {
      end()
      set(IDLE)
      save.resume(file, settled)
    },
    stop() {
      end()
      set(IDLE)
    },
    confirm() {
      if (running !== null && get().kind === 'asking') send(running)
    },
    async undo() {
      const attempt = running
      if (attempt === null || attempt.number === null || get().kind !== 'claimed') return
      const { number } = attempt
      try {
        await api.undo(number)
        if (running === attempt) set({ kind: 'undone', number: number.driver_number })
      } catch (error) {
        if (running === attempt) notify.error(sentenceOf(error, UNDO_FAILED))
      }
    },
  }
}

const UNDO_FAILED = 'The driver number could not be unbound. Please try again.'

function find(known: readonly DriverNumber[], { sim, driver_number }: FileNumber): DriverNumber | null {
  return known.find(one => one.sim === sim && one.driver_number === driver_number) ?? null
}
