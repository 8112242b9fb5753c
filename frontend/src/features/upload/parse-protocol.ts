import type { Preview } from '@lapwing/telemetry'

/** What to read: a file in the worker, a file by the server (D-23), or the sample session. */
export type ParseTask =
  | { readonly kind: 'file'; readonly file: Blob }
  | { readonly kind: 'server'; readonly file: Blob; readonly name: string }
  | { readonly kind: 'sample' }

/** Sent to the worker. One job at a time; the client ends a worker to end its job. */
export interface ParseRequest {
  readonly job: number
  readonly task: ParseTask
}

/** Sent by the worker. */
export type ParseMessage =
  /** The worker's code is loaded and it listens. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly job: number; readonly share: number }
  | { readonly kind: 'done'; readonly job: number; readonly result: ParseResult }
  | { readonly kind: 'failed'; readonly job: number; readonly code: string; readonly message: string }

export interface ParseResult {
  readonly preview: Preview
  /** Number of bytes that were read. */
  readonly sizeBytes: number
}
