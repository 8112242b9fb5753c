import type { IbtFile } from './ibt-file.ts'

/**
 * Returns a part of a file, from row `start` to row `end` included, as a file of its own. `readColumns` then reads no byte
 * of the other rows. Throws a `RangeError` if the file does not have these rows.
 */
export function rowsOf(file: IbtFile, start: number, end: number): IbtFile {
  if (!(Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end < file.rows)) {
    throw new RangeError(`rows ${start} to ${end} of ${file.rows}`)
  }
  return { ...file, rows: end - start + 1, bufOffset: file.bufOffset + start * file.bufLen }
}
