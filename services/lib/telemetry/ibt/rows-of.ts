import type { IbtFile } from './ibt-file.ts'

/** Rows of a file, from `from` to before `end`. */
export interface RowRange {
  readonly from: number
  readonly end: number
}

/**
 * Returns a part of a file as a file of its own. `readColumns` then reads no byte of the other rows. Throws a `RangeError`
 * if the range is empty or the file does not have these rows.
 */
export function rowsOf(file: IbtFile, { from, end }: RowRange): IbtFile {
  if (!(Number.isInteger(from) && Number.isInteger(end) && 0 <= from && from < end && end <= file.rows)) {
    throw new RangeError(`rows ${from} to before ${end} of ${file.rows}`)
  }
  return { ...file, rows: end - from, bufOffset: file.bufOffset + from * file.bufLen }
}
