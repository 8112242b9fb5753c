interface AttemptLimitRules {
  readonly max: number
  readonly windowMs: number
  readonly nowMs: () => number
}

/**
 * Allows `max` attempts in any `windowMs`.
 *
 * @returns a function that returns whether one more attempt is allowed, and then counts it
 */
export function createAttemptLimit({ max, windowMs, nowMs }: AttemptLimitRules): () => boolean {
  let attempts: number[] = []
  return () => {
    const now = nowMs()
    // A clock that was set back must not block attempts for long.
    attempts = attempts.filter(at => at > now - windowMs && at <= now)
    if (attempts.length >= max) return false
    attempts.push(now)
    return true
  }
}
