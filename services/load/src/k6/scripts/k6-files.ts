import { type File, open as openFile, SeekMode } from 'k6/experimental/fs'
import type { Files, RunName } from '../../scenarios/world.ts'

/** Describes a pack of files, which `pack-files.ts` writes beside it. */
export interface PackIndex {
  readonly run: RunName
  /** Where each file ends in the pack, bytes; the first begins at 0. */
  readonly ends: readonly number[]
}

/** Reads files of a pack. k6 has one copy of the pack in memory, for all virtual users. */
export function k6Files(pack: Promise<File>, { ends }: PackIndex): Files {
  let last: Promise<unknown> = Promise.resolve()
  async function readNow(number: number): Promise<Uint8Array> {
    const end = ends[number]
    if (end === undefined) throw new Error(`the pack has ${ends.length} files: write a larger one`)
    const start = ends[number - 1] ?? 0
    const file = await pack
    await file.seek(start, SeekMode.Start)
    const bytes = new Uint8Array(end - start)
    const read = await file.read(bytes)
    if (read !== bytes.length) throw new Error(`file ${number} of the pack is cut off`)
    return bytes
  }
  return {
    // One after another, because the pack has one position.
    read(number) {
      const reading = last.then(() => readNow(number))
      last = reading.catch(() => {})
      return reading
    },
  }
}

export function openPack(path: string): Promise<File> {
  return openFile(path)
}
