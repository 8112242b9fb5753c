import { isStoreError } from '@lapwing/object-store'

/** A failure that an operator can act on. Its message is the whole sentence; the command prints no stack trace. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem'
}

/** Returns the sentence for an error of the disk, the database or the object store. A defect stays as it is. */
export function explain(error: unknown, doing: string): unknown {
  if (error instanceof BackupProblem) return error
  if (isStoreError(error)) {
    const why = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return new BackupProblem(`${doing}: ${error.message}${why}`, { cause: error })
  }
  const { code, message } = error as { readonly code?: unknown; readonly message: string }
  if (code === 'ENOSPC') {
    return new BackupProblem(`${doing}: the disk of the backups is full.`, { cause: error })
  }
  // Errors of files, of the server and of a lost connection.
  if (typeof code !== 'string' && !message.startsWith('Connection terminated')) return error
  return new BackupProblem(`${doing}: ${message || code}`, { cause: error })
}
