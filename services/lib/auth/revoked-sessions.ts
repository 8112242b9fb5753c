/**
 * The names in Redis by which identity tells the gateway which sessions ended before their tokens.
 * A key of this name exists while a session is ended and one of its tokens is not.
 */
export function revokedSessionKey(sessionId: string): string {
  return `identity:revoked:${sessionId}`
}

/**
 * Exists while Redis holds the whole list. Where it is missing (a Redis that was emptied or has just
 * been set up) the absence of another key says nothing, and the gateway asks identity.
 */
export const revocationsCompleteKey = 'identity:revoked:complete'
