import { Histogram, SECONDS } from '@lapwing/metrics'

/** Time of one query for a page, a window or a driver's time. Rows from the cache need no query. */
export const rankSeconds = new Histogram({
  name: 'lapwing_rank_query_seconds',
  help: 'Time of one query of a board that was not in the cache.',
  labelNames: ['query'],
  buckets: [0.001, 0.0025, ...SECONDS],
})
