/** 100 MB (D-17). */
const MAX_FILE_BYTES = 100 * 1024 * 1024

/** The sentence that refuses a file before anything of it is read, or null where it may be read. */
export function validateFile(file: { readonly name: string; readonly size: number }): string | null {
  if (!isTelemetryName(file.name)) return 'Only .ibt files are supported.'
  if (file.size > MAX_FILE_BYTES) return 'File is larger than 100 MB.'
  return null
}

/** Returns whether a name ends in `.ibt`. Windows does not tell .ibt from .IBT, so neither do we. */
export function isTelemetryName(name: string): boolean {
  return name.toLowerCase().endsWith('.ibt')
}
