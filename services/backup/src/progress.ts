/** Prints a line for the operator. */
export type Say = (line: string) => void

/** Milliseconds between two lines about the same work. */
const EVERY_MS = 10_000

/** Returns a function that prints how far the work is, at most every ten seconds. */
export function createProgress(say: Say): (line: () => string) => void {
  let nextMs = Date.now() + EVERY_MS
  return line => {
    if (Date.now() < nextMs) return
    nextMs = Date.now() + EVERY_MS
    say(line())
  }
}

/** Returns bytes for a person, such as `1.5 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}
