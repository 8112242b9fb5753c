/**
 * The key in Redis by which identity tells the gateway which sessions ended before their tokens: a sorted set of
 * their ids, each with the millisecond at which its last token has ended. It is one key, so that a Redis that
 * evicts forgets all of the list or nothing of it.
 */
export const REVOKED_SESSIONS_KEY = 'identity:revoked-sessions'

/**
 * A member of the set while that is the whole list. Where it is missing (a Redis that was emptied or has just been
 * set up) the absence of another says nothing, and the gateway asks identity.
 */
export const REVOCATIONS_COMPLETE = 'complete'
