/** The parts of an error caused by a file that may be logged. */
export interface SilentError {
  /** Its class, and its code if it has one. */
  readonly error: string
  /** The stack frames. */
  readonly frames: string
}

/** Returns an error without its message, which may quote the file. */
export function withoutMessage(error: unknown): SilentError {
  if (!(error instanceof Error)) return { error: typeof error, frames: '' }
  const frames = (error.stack ?? '').split('\n').filter(line => /^ {4}at /.test(line))
  const code = (error as NodeJS.ErrnoException).code
  return { error: code === undefined ? error.name : `${error.name} ${code}`, frames: frames.join('\n') }
}
