import type { PreviewBody, ReadingAhead } from './preview-pool.ts'

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

/** Starts to read a file while its last part is still arriving, if that part will arrive soon. */
export function createHeadStart({ formBytes, nowMs, begin }: Needs) {
  const startMs = nowMs()
  let reading: ReadingAhead | null = null
  let isOver = false
  return {
    /** Reports how many bytes of the file are written. */
    wrote(bytes: number): void {
      if (reading === null && bytes >= MIN_BYTES && bytes < formBytes) {
        const restMs = ((nowMs() - startMs) / bytes) * (formBytes - bytes)
        if (restMs <= MAX_REST_MS) reading = begin(formBytes)
      }
      reading?.wrote(bytes)
    },
    /** Reports that the file is whole. Returns its answer, or null if the file must be read from the start. */
    async finish(): Promise<PreviewBody | null> {
      isOver = true
      return (await reading?.whole()) ?? null
    },
    /** Stops the reading, because the answer is not needed any more. Does nothing after `finish`. */
    giveUp(): void {
      if (!isOver) reading?.giveUp()
      isOver = true
    },
  }
}
