import type { IbtFile } from './ibt-file.ts'

/** Rows of a file, from `from` to before `end`. */
export interface RowRange {
  readonly from: number
  readonly end: number
}

/** Returns the file as if it had only these rows. `readColumns` then reads nothing else of it. */
export function rowsOf(file: IbtFile, { from, end }: RowRange): IbtFile {
  return { ...file, rows: end - from, bufOffset: file.bufOffset + from * file.bufLen }
}
