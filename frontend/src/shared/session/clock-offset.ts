/** Milliseconds of difference that an answer's way and its rounding explain. */
const TOLERATED_MS = 60_000

/**
 * Milliseconds by which the provider's clock is ahead of this machine's, by what an answer says of the
 * moment it was made in; 0 where the two agree or nothing is said. A session ends by the provider's
 * clock: without this, nobody could sign in on a machine whose own is an hour off.
 */
export function clockOffsetMs(session: unknown, nowMs: number): number {
  const { last_accessed_at: answeredAt } = (session ?? {}) as { readonly last_accessed_at?: unknown }
  const offsetMs = Date.parse(String(answeredAt)) - nowMs
  return Math.abs(offsetMs) > TOLERATED_MS ? offsetMs : 0
}
