/** An id by which a call can be found in the logs. Not `randomUUID()`, which a page served without TLS lacks. */
export function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
