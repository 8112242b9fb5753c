/** The services with a role and a schema of their own, both of their name. */
export const services = ['account', 'identity', 'upload', 'ingest', 'leaderboard'] as const
