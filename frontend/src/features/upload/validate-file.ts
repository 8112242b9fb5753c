import { isTelemetryName } from '#shared/files/telemetry-name.ts'

/** 100 MB (D-17). */
const MAX_FILE_BYTES = 100 * 1024 * 1024

/** Returns the sentence that rejects a file before it is read; null if it is accepted. */
export function validateFile(file: { readonly name: string; readonly size: number }): string | null {
  if (!isTelemetryName(file.name)) return 'Only .ibt files are supported.'
  if (file.size > MAX_FILE_BYTES) return 'File is larger than 100 MB.'
  return null
}
