import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** What is open: a file, or the sample session, which has none. */
export type OpenFile = File | 'sample'

/** The file that is open, kept on this machine while the browser is at another site. */
export interface KeptFile {
  /** Resolves when it is kept, or when that takes too long or cannot be done. */
  keep(open: OpenFile): Promise<void>
  /** What this tab has kept; null where there is nothing, or something old. It is then forgotten, as all old files are. */
  take(): Promise<OpenFile | null>
  /** Forgets files that nobody came back for. Never rejects. */
  forgetOld(): Promise<void>
}

export interface KeptFileDeps {
  /** Of the tab: another one must not open the file. */
  readonly session: KeyValueStore
  /** Holds files, and outlives the page. */
  readonly files: KeptFiles
  readonly newId: () => string
  readonly nowMs: () => number
  readonly after: (ms: number, callback: () => void) => () => void
}

/** A store of files by name, as `idb-keyval` has it. */
export interface KeptFiles {
  set(name: string, file: File): Promise<void>
  get(name: string): Promise<File | undefined>
  delete(names: readonly string[]): Promise<void>
  names(): Promise<readonly string[]>
}

const key = 'lapwing.kept-file'
/** In place of a file's id. */
const sample = 'sample'

/** Nobody stays away for longer and expects their file to be open. */
const keptMs = 15 * 60_000
/** Leaving is not held up for longer. */
const keepWithinMs = 3_000

export function createKeptFile({ session, files, newId, nowMs, after }: KeptFileDeps): KeptFile {
  const isOld = (name: string) => !(nowMs() - Number(name.split(' ')[0]) < keptMs)

  /** Also those of tabs that were closed meanwhile. */
  async function deleteOld(): Promise<void> {
    await files.delete((await files.names()).filter(isOld))
  }

  async function write(open: OpenFile): Promise<void> {
    if (open === 'sample') return session.set(key, `${nowMs()} ${sample}`)
    await deleteOld()
    const name = `${nowMs()} ${newId()}`
    await files.set(name, open)
    session.set(key, name)
  }

  return {
    keep: open =>
      new Promise(resolve => {
        const stopTimer = after(keepWithinMs, resolve)
        // A browser that keeps nothing, or has no room: the file is dropped once more then.
        void write(open)
          .catch(() => {})
          .finally(() => {
            stopTimer()
            resolve()
          })
      }),
    async take() {
      const name = session.get(key)
      // Most tabs have kept none, and need not open the store of files for that.
      if (name === null) return null
      session.remove(key)
      if (name.endsWith(` ${sample}`)) return isOld(name) ? null : 'sample'
      try {
        await deleteOld()
        const file = await files.get(name)
        await files.delete([name])
        return file ?? null
      } catch {
        return null
      }
    },
    forgetOld: () => deleteOld().catch(() => {}),
  }
}
