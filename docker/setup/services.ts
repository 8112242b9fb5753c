/** The services with their own role and schema, both with the service's name. */
export const SERVICES = ['account', 'identity', 'upload', 'ingest', 'leaderboard'] as const
