/** Returns an id that finds a call in the logs. `randomUUID()` does not exist on a page without TLS. */
export function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Returns a new W3C `traceparent`, which joins calls that belong together. The page itself exports no span. */
export function newTraceparent(): string {
  return `00-${newRequestId()}-${newRequestId().slice(16)}-01`
}
