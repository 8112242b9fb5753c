/**
 * Redis key of the sessions that ended before their tokens. Identity writes it, the gateway reads it. It is a
 * sorted set of session ids, each with the millisecond at which its last token expires. It is a single key,
 * so that a Redis that evicts loses the whole list or nothing.
 */
export const REVOKED_SESSIONS_KEY = 'identity:revoked-sessions'

/**
 * A member of the set while the list is complete. If it is missing, Redis was emptied or is new. The list
 * then proves nothing, and the gateway asks identity.
 */
export const REVOCATIONS_COMPLETE = 'complete'
