import type { PreviewBody, ReadingAhead } from './preview-pool.ts'

/** Starts to read a file while its last part is still arriving, if that part will arrive soon. */
export interface HeadStart {
  /** Reports how many bytes of the file are written. */
  readonly wrote: (bytes: number) => void
  /** Reports that the file is whole. Returns its answer, or null if the file must be read from the start. */
  readonly finish: () => Promise<PreviewBody | null>
  /** Stops the reading, because the answer is not needed any more. Does nothing after `finish`. */
  readonly giveUp: () => void
}

interface Needs {
  /** Stated length of the whole form; NaN if the client states none. */
  readonly formBytes: number
  readonly nowMs: () => number
  /** Starts to read a file of at most that many bytes. Returns null if no thread is free. */
  readonly begin: (atMostBytes: number) => ReadingAhead | null
}

/** A smaller file is read quickly anyway. */
const MIN_BYTES = 4 * 1024 * 1024
/**
 * Longest expected time of the remaining upload. The reading blocks a thread until the upload ends, and other
 * files wait for the thread. On a slower line the gain would not be noticed.
 */
const MAX_REST_MS = 500

/** Creates the head start of one upload. */
export function createHeadStart({ formBytes, nowMs, begin }: Needs): HeadStart {
  const startMs = nowMs()
  let reading: ReadingAhead | null = null
  let isOver = false
  return {
    wrote(bytes) {
      if (reading !== null) return reading.wrote(bytes)
      if (!(bytes >= MIN_BYTES && bytes < formBytes)) return
      const restMs = ((nowMs() - startMs) / bytes) * (formBytes - bytes)
      if (restMs <= MAX_REST_MS) reading = begin(formBytes)
      reading?.wrote(bytes)
    },
    async finish() {
      isOver = true
      return (await reading?.whole()) ?? null
    },
    giveUp() {
      if (!isOver) reading?.giveUp()
      isOver = true
    },
  }
}
