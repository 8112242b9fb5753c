import type { Preview } from '@lapwing/telemetry'
import { sentenceOf } from '#shared/api/problem.ts'
import { rememberChosen } from '#shared/files/file-changes.ts'
import { readSentence } from '#shared/files/reader-client.ts'
import { isTelemetryName } from '#shared/files/telemetry-name.ts'
import { isTimedLap, NO_COMPLETE_LAP } from '#shared/laps/is-timed-lap.ts'
import type { Notify } from '#shared/notify/notify.ts'
import { createStore, type Readable } from '#shared/store/store.ts'
import type { After } from '#shared/time/timers.ts'
import type { FileReader, FileReadOptions } from './file-reader.ts'
import type { ParseResult } from './parse-protocol.ts'
import { TOO_LARGE, validateFile } from './validate-file.ts'

/** A session that was read. It has a complete lap, unless the driver asked for its partial laps. */
export interface Session {
  /** Differs for each file that is read, so that views can drop what belongs to the last file. */
  readonly id: number
  readonly name: string
  readonly sizeBytes: number
  /**
   * The file itself, for saving its best lap; null for the sample session and for a saved lap. It can be too large
   * to be sent.
   */
  readonly file: File | null
  /** Opened without saving: nothing of its file is sent, unless the driver chooses to. */
  readonly isUnsaved: boolean
  /** The driver's saved lap that is shown; null for a file and for the sample session. */
  readonly savedLap: Pick<SavedLap, 'lapId' | 'facts'> | null
  readonly readMs: number
  readonly preview: Preview
  /** Whether it was restored from the browser's own store (`StoredFile`). */
  readonly isReopened: boolean
}

/** A file that is being read. */
export interface Reading {
  readonly name: string
  /** Null for the sample session, which has no file. */
  readonly sizeBytes: number | null
  /** Share that is read, 0..1; null if unknown. */
  readonly share: number | null
  /** It has taken so long that the page should show the progress. */
  readonly isSlow: boolean
  /** Whether it is being restored from the browser's own store. */
  readonly isReopened: boolean
}

/** Telemetry files that were dropped together. */
export interface Offer {
  /** At most `MAX_OFFERED`, in the order of the drop, including the open one. */
  readonly files: readonly File[]
  /** Number of files that are not in `files`. */
  readonly unlisted: number
  /** All of them, as many as there are. */
  readonly all: readonly File[]
}

/** What the driver can do with a file that was not opened: it has no complete lap, or is too large. */
export interface Alternative {
  readonly name: string
  /** The text of the button. */
  readonly label: string
  readonly take: () => void
}

/** A saved lap of the driver. */
export interface SavedLap {
  readonly lapId: string
  readonly name: string
  /** JSON of the lap, with which a reload opens it again. */
  readonly facts: string
  /** Loads the lap as a session. */
  readonly load: () => Promise<ParseResult>
}

/** What was open before a reload. */
export type Reopened = File | 'sample' | SavedLap

interface UploadState {
  readonly session: Session | null
  readonly reading: Reading | null
  /** Why the last file was not read, for the drop area. With a session loaded, `notify` shows it instead. */
  readonly problem: string | null
  /** For the last file; null if it was opened, or cannot be. */
  readonly alternative: Alternative | null
  /** Null if the last drop held a single telemetry file, or its list was closed. */
  readonly offer: Offer | null
}

export interface UploadStore extends Readable<UploadState> {
  /** Opens the first .ibt file of several, and offers the others. Replaces a file that is being read. */
  choose(files: readonly File[]): void
  /** Opens a file of the offer. */
  openOffered(file: File): void
  /** Opens a file of any size without saving. */
  openUnsaved(file: File): void
  dismissOffer(): void
  trySample(): void
  /** Opens a saved lap in place of a file. Resolves with whether it was opened. */
  openLap(lap: SavedLap): Promise<boolean>
  /** Forgets the saved lap that is shown or being loaded, if any. */
  forgetLap(): void
  /**
   * Opens what `find` resolves to, under its old name and without saving if that was so; nothing for null. Resolves
   * with whether it was opened: a file that is chosen meanwhile comes first.
   */
  reopen(name: string, isUnsaved: boolean, find: () => Promise<Reopened | null>): Promise<boolean>
  /** Ends the reading; the loaded session stays. */
  cancel(): void
  /** Forgets the session. */
  close(): void
  dismissProblem(): void
}

interface UploadDeps {
  readonly reader: FileReader
  readonly nowMs: () => number
  readonly after: After
  readonly notify: Pick<Notify, 'error'>
  /** Returns why laps are not complete, in a driver's words; empty if nothing is known. */
  readonly whyPartial: (laps: Preview['laps']) => string
}

/** Shown if the stored file could not be read again. */
export const NOT_REOPENED = 'The file that was open could not be opened again. Choose it again.'

/** The button beside the message about a file without a complete lap. */
export const SHOW_PARTIAL = 'Show the partial laps'
/** The button beside the message about a file that is too large. */
export const OPEN_UNSAVED = 'Open here without saving'

/** Limits the list: one folder seldom has more telemetry files. */
export const MAX_OFFERED = 50

/** Milliseconds. Most files are read sooner: an overlay that blinks disturbs, and delays the session that it hides. */
const SLOW_MS = 400

export function createUploadStore({ reader, nowMs, after, notify, whyPartial }: UploadDeps): UploadStore {
  const { get, subscribe, patch } = createStore<UploadState>({
    session: null,
    reading: null,
    problem: null,
    alternative: null,
    offer: null,
  })
  let running: AbortController | null = null
  /** Whether what is being read is a saved lap. */
  let isReadingLap = false
  let lastId = 0

  function report(sentence: string, alternative: Alternative | null = null) {
    patch({ alternative })
    if (get().session) notify.error(sentence, alternative ? { action: actionOf(alternative) } : {})
    else patch({ problem: sentence })
  }

  /** An old toast must not replace what was opened after it. */
  const actionOf = (alternative: Alternative) => ({
    label: alternative.label,
    onPress: () => get().alternative === alternative && alternative.take(),
  })

  interface Task {
    readonly name: string
    /** Null if it is not known yet. */
    readonly sizeBytes: number | null
    readonly isUnsaved?: boolean
    readonly isReopened?: boolean
    readonly isLap?: boolean
    /** Resolves with null if there is nothing to open. */
    readonly start: (options: FileReadOptions) => Promise<Opened | null>
  }

  interface Opened {
    readonly file: File | null
    readonly savedLap?: SavedLap
    readonly result: ParseResult
  }

  async function open(what: Reopened, options: FileReadOptions): Promise<Opened> {
    if (what === 'sample') return { file: null, result: await reader.readSample(options) }
    if (what instanceof File) return { file: what, result: await reader.readFile(what, options) }
    isReadingLap = true
    return { file: null, savedLap: what, result: await what.load() }
  }

  function openFile(file: File, isUnsaved: boolean): void {
    const { name, size } = file
    void read({ name, sizeBytes: size, isUnsaved, start: options => open(file, options) })
  }

  function openChosen(file: File): void {
    const refusal = validateFile(file)
    const take = () => openFile(file, true)
    if (refusal === null) openFile(file, false)
    else report(refusal, refusal === TOO_LARGE ? { name: file.name, label: OPEN_UNSAVED, take } : null)
  }

  /** Resolves with whether a session was loaded. */
  async function read({
    name,
    sizeBytes: size,
    isUnsaved = false,
    isReopened = false,
    isLap = false,
    start,
  }: Task): Promise<boolean> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    isReadingLap = isLap
    const startedMs = nowMs()
    patch({
      reading: { name, sizeBytes: size, share: null, isSlow: false, isReopened },
      problem: null,
      alternative: null,
    })
    const change = (part: Partial<Reading>) => {
      const { reading } = get()
      if (running === mine && reading) patch({ reading: { ...reading, ...part } })
    }
    const stopTimer = after(SLOW_MS, () => change({ isSlow: true }))
    try {
      const opened = await start({
        signal: mine.signal,
        canSend: !isUnsaved,
        onProgress: share => change({ share }),
      })
      if (running !== mine) return false
      if (opened === null) {
        patch({ reading: null })
        return false
      }
      const { file, savedLap = null, result } = opened
      const { preview, sizeBytes } = result
      const readMs = nowMs() - startedMs
      const take = () => {
        const session = { name, sizeBytes, file, isUnsaved, savedLap, readMs, preview, isReopened }
        patch({ session: { id: ++lastId, ...session }, reading: null, problem: null, alternative: null })
      }
      // Before a reload the driver had asked for its partial laps.
      if (preview.laps.some(isTimedLap) || (isReopened && preview.laps.length > 0)) {
        take()
        return true
      }
      const alternative = preview.laps.length > 0 ? { name, label: SHOW_PARTIAL, take } : null
      patch({ reading: null, alternative })
      const why = whyPartial(preview.laps)
      notify.error(NO_COMPLETE_LAP, {
        detail: why && `Found in this file: ${why}.`,
        ...(alternative && { action: actionOf(alternative) }),
      })
      return false
    } catch (error) {
      if (running !== mine) return false
      patch({ reading: null })
      if (isReadingLap) notify.error('The lap could not be opened.', { detail: sentenceOf(error, '') })
      else report(isReopened ? NOT_REOPENED : readSentence(error))
      return false
    } finally {
      stopTimer()
      if (running === mine) running = null
    }
  }

  function cancel(): void {
    const stopped = running
    running = null
    if (get().reading) patch({ reading: null })
    stopped?.abort()
  }

  const close = () => patch({ session: null, problem: null, alternative: null })

  return {
    get,
    subscribe,
    choose(files) {
      const file = files.find(candidate => validateFile(candidate) === null) ?? files[0]
      if (!file) return
      rememberChosen(files)
      const telemetry = files.filter(({ name }) => isTelemetryName(name))
      // The open file is always listed, however late it is in the drop.
      const listed = new Set([file, ...telemetry].slice(0, MAX_OFFERED))
      const offered = telemetry.filter(other => listed.has(other))
      patch({
        offer:
          telemetry.length > 1
            ? { files: offered, unlisted: telemetry.length - offered.length, all: telemetry }
            : null,
      })
      openChosen(file)
    },
    openOffered: openChosen,
    openUnsaved(file) {
      rememberChosen([file])
      patch({ offer: null })
      openFile(file, true)
    },
    dismissOffer: () => patch({ offer: null }),
    trySample() {
      void read({ name: 'Sample session', sizeBytes: null, start: options => open('sample', options) })
    },
    openLap: lap =>
      read({ name: lap.name, sizeBytes: null, isLap: true, start: options => open(lap, options) }),
    reopen(name, isUnsaved, find) {
      return read({
        name,
        sizeBytes: null,
        isUnsaved,
        isReopened: true,
        async start(options) {
          const what = await find()
          options.signal?.throwIfAborted()
          return what && open(what, options)
        },
      })
    },
    forgetLap() {
      if (running !== null && isReadingLap) cancel()
      if (get().session?.savedLap) close()
    },
    cancel,
    close,
    dismissProblem: () => patch({ problem: null, alternative: null }),
  }
}
