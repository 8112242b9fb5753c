import type { ByteSource } from '../byte-source.ts'
import type { Variable } from '../columns.ts'
import type { SessionFacts } from '../session/session-facts.ts'

/** An opened `.ibt` file: the checked contents of its headers. Its samples are still in `source`. */
export interface IbtFile {
  readonly source: ByteSource
  readonly version: 1 | 2
  /** Rows a second, as the file declares. Use `SessionTime` for time: single rows are missing. */
  readonly tickRate: number
  /** Start of the recording, UTC; null if the file has no date. */
  readonly startDate: Date | null
  /** Count of the sub-header. It is 0 or too small after a crash, so it is never trusted. */
  readonly declaredRows: number
  /** Whole rows in the file, at least 1. */
  readonly rows: number
  /** True if the file ends inside a row, or has another number of rows than it declares. */
  readonly partial: boolean
  /** Bytes of one row. */
  readonly bufLen: number
  /** Byte of the file where the first row starts. */
  readonly bufOffset: number
  /** In the order of the file. A name can occur twice. */
  readonly variables: readonly Variable[]
  /** The first variable of each name. */
  readonly variablesByName: ReadonlyMap<string, Variable>
  readonly session: SessionFacts
  /** All in bytes. */
  readonly sizes: {
    readonly file: number
    /** Whole rows: `rows * bufLen`. */
    readonly samples: number
    /** Bytes after the last whole row that are no other section: part of a row. */
    readonly tail: number
  }
}
