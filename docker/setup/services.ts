/** The services with a role and a schema of their own, both of their name. */
export const SERVICES = ['account', 'identity', 'upload', 'ingest', 'leaderboard'] as const
