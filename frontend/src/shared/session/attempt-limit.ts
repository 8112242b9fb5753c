interface AttemptLimitRules {
  readonly max: number
  readonly windowMs: number
  readonly nowMs: () => number
}

/**
 * Allows `max` attempts in any `windowMs`.
 *
 * @returns a function that answers whether one more may be made, and counts it where it may
 */
export function createAttemptLimit({ max, windowMs, nowMs }: AttemptLimitRules): () => boolean {
  let attempts: number[] = []
  return () => {
    const now = nowMs()
    // A clock that was set back must not lock anybody out for long.
    attempts = attempts.filter(at => at > now - windowMs && at <= now)
    if (attempts.length >= max) return false
    attempts.push(now)
    return true
  }
}
