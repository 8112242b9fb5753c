/** Milliseconds of difference that transport and rounding can explain. */
const TOLERATED_MS = 60_000

/**
 * Returns the milliseconds by which the provider's clock is ahead of this machine's, by the time in its
 * answer. Returns 0 if the two agree or the answer has no time.
 *
 * A session ends by the provider's clock. Without the offset, drivers could not sign in on a machine whose
 * clock is an hour wrong.
 */
export function clockOffsetMs(session: unknown, nowMs: number): number {
  const { last_accessed_at: answeredAt } = (session ?? {}) as { readonly last_accessed_at?: unknown }
  const offsetMs = Date.parse(String(answeredAt)) - nowMs
  return Math.abs(offsetMs) > TOLERATED_MS ? offsetMs : 0
}
