import type { IbtFile } from '../ibt/ibt-file.ts'
import { HEADER, HEADERS_BYTES, SUB_HEADER } from '../ibt/layout.ts'
import { readExactly } from '../ibt/read-exactly.ts'
import type { RowRange } from '../ibt/rows-of.ts'

/** A part of a file as a file of its own: `head`, then slices of the whole file. Only `head` is in memory. */
export interface LapCut {
  readonly head: Uint8Array<ArrayBuffer>
  /** First byte and the byte after the last, of the whole file, in order. */
  readonly slices: readonly (readonly [from: number, end: number])[]
  readonly sizeBytes: number
}

interface CutHeader {
  /** Null leaves the date as it is. */
  readonly startDate: Date | null
  /** SessionTime of the first and last row. */
  readonly startTimeS: number
  readonly endTimeS: number
  readonly lapCount: number
}

/**
 * Returns the bytes of a file with fewer rows. The session text, the variables and every byte of a row stay.
 * Sections behind the rows move, so their offsets change with the header's counts.
 */
export async function cutBytes(file: IbtFile, rows: RowRange, header: CutHeader): Promise<LapCut> {
  const { bufOffset, bufLen, sizes } = file
  const head = new Uint8Array(HEADERS_BYTES)
  await readExactly(file.source, 0, head)
  const view = new DataView(head.buffer)
  const count = rows.end - rows.from
  const rowsEnd = bufOffset + sizes.samples + sizes.tail
  const removed = rowsEnd - bufOffset - count * bufLen
  for (const at of [HEADER.sessionInfoOffset, HEADER.varHeaderOffset]) {
    const offset = view.getInt32(at, true)
    if (offset >= rowsEnd) view.setInt32(at, offset - removed, true)
  }
  if (header.startDate !== null) {
    const seconds = Math.round(header.startDate.getTime() / 1000)
    view.setBigInt64(SUB_HEADER.startDate, BigInt(seconds), true)
  }
  view.setFloat64(SUB_HEADER.startTime, header.startTimeS, true)
  view.setFloat64(SUB_HEADER.endTime, header.endTimeS, true)
  view.setInt32(SUB_HEADER.lapCount, header.lapCount, true)
  view.setInt32(SUB_HEADER.recordCount, count, true)
  const slices = (
    [
      [HEADERS_BYTES, bufOffset],
      [bufOffset + rows.from * bufLen, bufOffset + rows.end * bufLen],
      [rowsEnd, sizes.file],
    ] as const
  ).filter(([from, end]) => end > from)
  const sizeBytes = slices.reduce((sum, [from, end]) => sum + end - from, HEADERS_BYTES)
  return { head, slices, sizeBytes }
}
