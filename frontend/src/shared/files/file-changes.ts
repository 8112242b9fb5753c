/** The sentence for a file that changed on disk after it was chosen. */
export const FILE_CHANGED =
  'The file has changed since it was chosen (is the simulator still writing it?). Choose it again.'

const chosen = new WeakMap<File, Pick<File, 'size' | 'lastModified'>>()

/** Remembers size and time of chosen files, for `hasFileChanged`. */
export function rememberChosen(files: readonly File[]): void {
  for (const file of files) chosen.set(file, { size: file.size, lastModified: file.lastModified })
}

/**
 * Returns whether a file on disk changed after it was chosen. Some browsers refuse to read such a file;
 * others read it and report a new size or time. So this reads the first and the last byte, and compares size
 * and time.
 */
export async function hasFileChanged(file: File): Promise<boolean> {
  const before = chosen.get(file)
  if (before && (file.size !== before.size || file.lastModified !== before.lastModified)) return true
  try {
    const ends = [file.slice(0, 1), file.slice(Math.max(0, file.size - 1))]
    const read = await Promise.all(ends.map(end => end.arrayBuffer()))
    return read.some(({ byteLength }) => byteLength < Math.min(1, file.size))
  } catch (error) {
    return isFileChange(error)
  }
}

/** Returns whether a browser threw because the file on disk has changed, is locked, or is gone. */
export function isFileChange(error: unknown): boolean {
  const name = (error as Error | null)?.name
  return name === 'NotReadableError' || name === 'NotFoundError'
}
