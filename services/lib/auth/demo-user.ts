/** Prefix of the ids of generated drivers. No account's id begins with it. */
export const DEMO_USER_PREFIX = 'demo-'
