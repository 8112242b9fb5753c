import type { Preview } from '@lapwing/telemetry'

/** What to read: a file in the worker, a file by the server (D-23), or the sample session. */
export type ParseTask =
  | { readonly kind: 'file'; readonly file: Blob }
  | { readonly kind: 'server'; readonly file: Blob; readonly name: string }
  | { readonly kind: 'sample' }

export interface ParseResult {
  readonly preview: Preview
  /** Number of bytes that were read. */
  readonly sizeBytes: number
}
