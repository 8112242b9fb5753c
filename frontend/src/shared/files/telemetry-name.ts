/** Returns whether a name ends in `.ibt`, in any case of letters, as Windows compares names. */
export function isTelemetryName(name: string): boolean {
  return name.toLowerCase().endsWith('.ibt')
}
