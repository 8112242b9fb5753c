import { ibtLimits } from '@lapwing/telemetry'
import { isTelemetryName } from '#shared/files/telemetry-name.ts'

export const TOO_LARGE = 'File is larger than 100 MB.'

/** Returns whether a file is too large to be sent. The browser can still read it. */
export function isTooLarge({ size }: { readonly size: number }): boolean {
  return size > ibtLimits.MAX_FILE_BYTES
}

/** Returns the sentence that rejects a file before it is read; null if it is accepted. */
export function validateFile(file: { readonly name: string; readonly size: number }): string | null {
  if (!isTelemetryName(file.name)) return 'Only .ibt files are supported.'
  if (isTooLarge(file)) return TOO_LARGE
  return null
}
