/** What may be logged of an error that something about the file caused. */
export interface SilentError {
  /** Its class, and its code where it has one. */
  readonly error: string
  /** Where it was thrown. */
  readonly frames: string
}

/** An error without its message, which may quote the file. */
export function withoutMessage(error: unknown): SilentError {
  if (!(error instanceof Error)) return { error: typeof error, frames: '' }
  const frames = (error.stack ?? '').split('\n').filter(line => /^ {4}at /.test(line))
  const code = (error as NodeJS.ErrnoException).code
  return { error: code === undefined ? error.name : `${error.name} ${code}`, frames: frames.join('\n') }
}
