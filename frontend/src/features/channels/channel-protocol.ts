import type { Column, Variable } from '@lapwing/telemetry'

/** A file whose channels can be read: the driver's own, or the sample session, which the worker makes. */
export type ChannelSource = { readonly kind: 'file'; readonly file: File } | { readonly kind: 'sample' }

/** Rows of a lap, `rowEnd` included. */
export interface RowRange {
  readonly rowStart: number
  readonly rowEnd: number
}

/** What to read. A worker reads one file, so `source` is the same in all its tasks. */
export interface ChannelTask {
  readonly source: ChannelSource
  /** Null to read only which variables the file has. */
  readonly wanted: (RowRange & { readonly names: readonly string[] }) | null
}

export interface ChannelResult {
  /** Of each name the first variable; empty for a task with `wanted`. */
  readonly variables: readonly Variable[]
  readonly columns: readonly Column[]
}
