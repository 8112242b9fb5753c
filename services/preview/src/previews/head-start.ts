import type { PreviewBody, ReadingAhead } from './preview-pool.ts'

/** Has a file read while the last of it is still being sent, where that will not take long. */
export interface HeadStart {
  /** So many bytes of the file are written. */
  readonly wrote: (bytes: number) => void
  /** The file is whole: its answer, or null where it has yet to be read. */
  readonly finish: () => Promise<PreviewBody | null>
  /** Nobody wants the answer any more. Harmless after `finish`. */
  readonly giveUp: () => void
}

interface Needs {
  /** Length of the whole form as its sender states it, NaN where it does not. */
  readonly formBytes: number
  readonly nowMs: () => number
  /** Starts the reading of a file of at most so many bytes; null while no thread is free. */
  readonly begin: (atMostBytes: number) => ReadingAhead | null
}

/** A smaller file is read in no time once it is there. */
const MIN_BYTES = 4 * 1024 * 1024
/**
 * A thread is held from the start of the reading to the end of the sending, and others wait for it
 * meanwhile: from a line so slow that the rest takes longer, the time gained would not be noticed.
 */
const MAX_REST_MS = 500

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
