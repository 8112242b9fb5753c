/** The ids of generated drivers begin with it, and those of accounts never do. */
export const DEMO_USER_PREFIX = 'demo-'
