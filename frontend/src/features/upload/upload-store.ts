import type { Preview } from '@lapwing/telemetry'
import { isTimedLap } from '#shared/laps/is-timed-lap.ts'
import type { FileReader } from './file-reader.ts'
import { type ParseOptions, WorkerUnavailableError } from './parse-client.ts'
import type { ParseResult } from './parse-protocol.ts'
import { previewFailed, ReadError } from './read-error.ts'
import { validateFile } from './validate-file.ts'

/** A session that was read and has at least one complete lap. */
export interface Session {
  /** Another one for each file read, so that what belongs to the last file can be forgotten. */
  readonly id: number
  readonly name: string
  readonly sizeBytes: number
  /** The file itself, for those who save a lap of it; null for the sample session. */
  readonly file: File | null
  readonly readMs: number
  readonly preview: Preview
}

/** A file that is being read. */
export interface Reading {
  readonly name: string
  /** Null for the sample session, which has no file. */
  readonly sizeBytes: number | null
  /** Share read, 0..1; null where it is not known. */
  readonly share: number | null
  /** It has taken so long that the driver should be told. */
  readonly isSlow: boolean
}

export interface UploadState {
  readonly session: Session | null
  readonly reading: Reading | null
  /** Why the last file was not read, for the drop area; with a session loaded `tell` is used instead. */
  readonly problem: string | null
}

export interface UploadStore {
  get(): UploadState
  subscribe(listener: () => void): () => void
  /** Takes the first .ibt file of those chosen or dropped. Replaces a file that is being read. */
  choose(files: readonly File[]): void
  trySample(): void
  /** Ends the reading; the session loaded before stays. */
  cancel(): void
  /** Forgets the session. */
  close(): void
  dismissProblem(): void
}

export interface UploadDeps {
  readonly reader: FileReader
  readonly nowMs: () => number
  readonly after: (ms: number, callback: () => void) => () => void
  /** Says a problem where the drop area is not in sight. */
  readonly tell: (sentence: string) => void
  /** The file was read but has no complete lap; the specification wants an error toast. */
  readonly tellNoCompleteLap: (sentence: string, preview: Preview) => void
}

export const NO_COMPLETE_LAP =
  'No complete valid lap found. Please try uploading another file with valid laps.'

/** Most files are read sooner than this; an overlay that comes and goes within a blink only disturbs. */
const SLOW_MS = 150

export function createUploadStore({
  reader,
  nowMs,
  after,
  tell,
  tellNoCompleteLap,
}: UploadDeps): UploadStore {
  let state: UploadState = { session: null, reading: null, problem: null }
  let running: AbortController | null = null
  let lastId = 0
  const listeners = new Set<() => void>()

  function set(change: Partial<UploadState>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function report(sentence: string) {
    if (state.session) tell(sentence)
    else set({ problem: sentence })
  }

  async function read(
    name: string,
    file: File | null,
    start: (options: ParseOptions) => Promise<ParseResult>,
  ): Promise<void> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    const startedMs = nowMs()
    set({ reading: { name, sizeBytes: file?.size ?? null, share: null, isSlow: false }, problem: null })
    const change = (part: Partial<Reading>) => {
      if (running === mine && state.reading) set({ reading: { ...state.reading, ...part } })
    }
    const stopTimer = after(SLOW_MS, () => change({ isSlow: true }))
    try {
      const { preview, sizeBytes } = await start({
        signal: mine.signal,
        onProgress: share => change({ share }),
      })
      if (running !== mine) return
      if (preview.laps.some(isTimedLap)) {
        const session: Session = { id: ++lastId, name, sizeBytes, file, readMs: nowMs() - startedMs, preview }
        set({ session, reading: null })
      } else {
        set({ reading: null })
        tellNoCompleteLap(NO_COMPLETE_LAP, preview)
      }
    } catch (error) {
      if (running !== mine) return
      set({ reading: null })
      const isSentence = error instanceof ReadError || error instanceof WorkerUnavailableError
      report((isSentence ? error : previewFailed()).message)
    } finally {
      stopTimer()
      if (running === mine) running = null
    }
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    choose(files) {
      const file = files.find(candidate => validateFile(candidate) === null) ?? files[0]
      if (!file) return
      const refusal = validateFile(file)
      if (refusal) return report(refusal)
      void read(file.name, file, options => reader.readFile(file, options))
    },
    trySample() {
      void read('Sample session', null, options => reader.readSample(options))
    },
    cancel() {
      const stopped = running
      running = null
      if (state.reading) set({ reading: null })
      stopped?.abort()
    },
    close() {
      set({ session: null, problem: null })
    },
    dismissProblem() {
      set({ problem: null })
    },
  }
}
