/** Formats a delta in seconds with its sign and 3 decimals: `+0.202`, `−0.041`, `0.000`. */
export function formatDelta(seconds: number): string {
  // A half such as 0.0005 can be slightly smaller as a double; the addition makes it round up.
  const ms = Math.floor(Math.abs(seconds) * 1000 + 0.5 + 1e-6)
  const text = `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`
  if (ms === 0) return text
  // U+2212 is as wide as the plus sign, so that columns line up.
  return `${seconds < 0 ? '−' : '+'}${text}`
}
