import { closeSync, openSync } from 'node:fs'
import { type FileSource, readFully } from '@lapwing/files'

/**
 * A file that one thread reads while another still writes it. The writer publishes its progress as one
 * number, so that a waiting reader misses no change.
 */
export interface ArrivingFile {
  readonly path: string
  /** Largest possible size of the file. */
  readonly atMostBytes: number
  /** Bytes written, or a value of `end`. */
  readonly progress: Int32Array<SharedArrayBuffer>
}

const end = { whole: -1, givenUp: -2 } as const

export function createArrivingFile(path: string, atMostBytes: number): ArrivingFile {
  return { path, atMostBytes, progress: new Int32Array(new SharedArrayBuffer(4)) }
}

/** Publishes the writer's progress: the bytes written so far, or that the file is whole or given up. */
export function notifyProgress({ progress }: ArrivingFile, written: number | keyof typeof end): void {
  Atomics.store(progress, 0, typeof written === 'number' ? written : end[written])
  Atomics.notify(progress, 0)
}

/** The file arrives too slowly to wait for it. */
export class TooSlow extends Error {}

/** The writer gave up, so the file will never be whole. */
export class GivenUp extends Error {}

export interface ArrivingSource extends FileSource {
  /** Waits for the end of the file, after which a source of its real size can be opened. */
  waitForWhole(): void
}

/**
 * Opens a source for the reader. Its size is the largest possible size of the file; bytes beyond the real end
 * are 0. A read blocks its thread until the bytes are there. It throws `TooSlow` after `maxWaitMs` of waiting
 * in total, and `GivenUp` if the writer gave up.
 */
export function openArrivingSource(
  { path, atMostBytes, progress }: ArrivingFile,
  maxWaitMs: number,
): ArrivingSource {
  const descriptor = openSync(path, 'r')
  let leftMs = maxWaitMs

  function waitFor(bytes: number): void {
    for (;;) {
      const written = Atomics.load(progress, 0)
      if (written === end.givenUp) throw new GivenUp()
      if (written === end.whole || written >= bytes) return
      const start = performance.now()
      const outcome = Atomics.wait(progress, 0, written, leftMs)
      leftMs = Math.max(0, leftMs - (performance.now() - start))
      if (outcome === 'timed-out') throw new TooSlow()
    }
  }

  return {
    size: atMostBytes,
    read(offset, target) {
      const wanted = Math.max(0, Math.min(target.byteLength, atMostBytes - offset))
      waitFor(offset + wanted)
      target.fill(0, readFully(descriptor, offset, target, wanted), wanted)
      return wanted
    },
    waitForWhole: () => waitFor(Number.POSITIVE_INFINITY),
    close: () => closeSync(descriptor),
  }
}
