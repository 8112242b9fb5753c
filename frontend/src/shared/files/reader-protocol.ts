/** Sent to a reader, a worker that reads files. One job at a time; the client ends a worker to end its job. */
export interface ReaderRequest<Task> {
  readonly job: number
  readonly task: Task
}

/** Sent by a reader. */
export type ReaderMessage<Result> =
  /** The worker's code is loaded and it listens. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly job: number; readonly share: number }
  | { readonly kind: 'done'; readonly job: number; readonly result: Result }
  | { readonly kind: 'failed'; readonly job: number; readonly code: string; readonly message: string }
