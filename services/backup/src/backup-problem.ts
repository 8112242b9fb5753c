/** A failure that an operator can act on. Its message is the whole sentence; the command prints no stack trace. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem'
}

/** Returns the sentence for an error of the disk, the database or the object store; else the error itself. */
export function explain(error: unknown, doing: string): unknown {
  if (error instanceof BackupProblem) return error
  const { code, message = '' } = error as { readonly code?: string; readonly message?: string }
  if (code === 'ENOSPC')
    return new BackupProblem(`${doing}: the disk of the backups is full.`, { cause: error })
  return new BackupProblem(`${doing}: ${message || code || String(error)}`, { cause: error })
}
