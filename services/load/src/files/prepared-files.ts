import { Worker } from 'node:worker_threads'
import type { Files, RunName } from '../scenarios/world.ts'

/** Files of a run that are simulated before they are needed. */
export interface PreparedFiles extends Files {
  /** Simulates all files up to `count` that do not exist yet. */
  readonly prepare: (count: number) => Promise<void>
  /** Forgets files below `count`, which nobody reads again. */
  readonly forget: (from: number, count: number) => void
  readonly close: () => Promise<void>
}

/**
 * Starts threads that simulate files into memory, about 0.5 MB each. `thread` is the code of a thread, which a bundle
 * has in another file.
 */
export function prepareFiles(
  run: RunName,
  threads: number,
  thread = new URL('./file-thread.ts', import.meta.url),
): PreparedFiles {
  const made = new Map<number, Uint8Array>()
  const workers = Array.from({ length: threads }, () => new Worker(thread))
  let next = 0

  async function simulate(worker: Worker, file: number): Promise<void> {
    const done = Promise.withResolvers<Uint8Array>()
    const onMessage = ({ bytes }: { readonly bytes: Uint8Array }) => done.resolve(bytes)
    worker.once('message', onMessage).once('error', done.reject)
    worker.postMessage({ run, file })
    try {
      made.set(file, await done.promise)
    } finally {
      worker.off('message', onMessage).off('error', done.reject)
    }
  }

  return {
    async prepare(count) {
      await Promise.all(
        workers.map(async worker => {
          while (next < count) await simulate(worker, next++)
        }),
      )
    },
    async read(file) {
      const bytes = made.get(file)
      if (bytes === undefined) throw new Error(`file ${file} is not prepared`)
      return bytes
    },
    forget(from, count) {
      for (let file = from; file < count; file++) made.delete(file)
    },
    async close() {
      await Promise.all(workers.map(worker => worker.terminate()))
    },
  }
}
