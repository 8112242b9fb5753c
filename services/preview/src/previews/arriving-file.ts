import { closeSync, openSync, readSync } from 'node:fs'
import type { ByteSource } from '@lapwing/telemetry'

/**
 * A file that is read by one thread while another still writes it. The writer says how far it has
 * come; one number says all, so that a reader that waits for it misses nothing.
 */
export interface ArrivingFile {
  readonly path: string
  /** The file will not be larger. */
  readonly atMostBytes: number
  /** Bytes written, or one of `end`. */
  readonly progress: Int32Array<SharedArrayBuffer>
}

const end = { whole: -1, givenUp: -2 } as const

export function createArrivingFile(path: string, atMostBytes: number): ArrivingFile {
  return { path, atMostBytes, progress: new Int32Array(new SharedArrayBuffer(4)) }
}

/** The writer's side: so many bytes, all of them, or no more. */
export function notifyProgress({ progress }: ArrivingFile, written: number | keyof typeof end): void {
  Atomics.store(progress, 0, typeof written === 'number' ? written : end[written])
  Atomics.notify(progress, 0)
}

/** The file came too slowly to go on waiting for it. */
export class TooSlow extends Error {}

/** The writer gave up: there will be no file. */
export class GivenUp extends Error {}

export interface ArrivingSource extends ByteSource {
  read(offset: number, target: Uint8Array): number
  /** Waits for the end of the file, after which a source of its real size can be opened. */
  waitForWhole(): void
  close(): void
}

/**
 * The reader's side: a source of the largest size that the file can have, in which bytes that the
 * file turns out not to have are 0. A read blocks its thread until the bytes are there; after
 * `maxWaitMs` of waiting in all it throws `TooSlow`.
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
      let filled = 0
      while (filled < wanted) {
        const bytes = readSync(descriptor, target, filled, wanted - filled, offset + filled)
        if (bytes === 0) break
        filled += bytes
      }
      target.fill(0, filled, wanted)
      return wanted
    },
    waitForWhole: () => waitFor(Number.POSITIVE_INFINITY),
    close: () => closeSync(descriptor),
  }
}
