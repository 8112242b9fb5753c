import { FILE_CHANGED } from '#shared/files/file-changes.ts'

/** Why a file could not be read. `message` is the sentence the driver is shown. */
export class ReadError extends Error {
  /** Stable, such as `ibt.truncated` or `preview.too_large`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'ReadError'
    this.code = code
  }
}

/** The file on disk is no longer the one that was chosen. */
export const fileChanged = () => new ReadError('page.file_changed', FILE_CHANGED)

/** The specification's sentence where nothing better is known. */
export const previewFailed = () => new ReadError('page.preview_failed', 'Preview failed')
