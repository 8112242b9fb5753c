import { FILE_CHANGED } from './file-changes.ts'

/** Why a file could not be read. The driver sees `message`. */
export class ReadError extends Error {
  /** A stable code, such as `ibt.truncated` or `preview.too_large`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'ReadError'
    this.code = code
  }
}

/** Returns the error for a file that changed on disk after it was chosen. */
export const fileChanged = () => new ReadError('page.file_changed', FILE_CHANGED)

/** Returns the error with the specification's sentence, for failures without a better one. */
export const previewFailed = () => new ReadError('page.preview_failed', 'Preview failed')
