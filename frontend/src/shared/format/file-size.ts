/** Formats bytes: `980 B`, `72 kB`, `4.4 MB`. A megabyte is 1024 × 1024 bytes, as in D-17. */
export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  if (Math.round(kilobytes) < 1024) return `${Math.round(kilobytes)} kB`
  const megabytes = kilobytes / 1024
  return `${megabytes < 99.95 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`
}
