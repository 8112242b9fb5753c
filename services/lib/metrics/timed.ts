import type { Histogram } from 'prom-client'

/** Upper bounds of histograms in seconds, from a cached look-up to the longest time-out of a route. */
export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Runs `work` and records its seconds, whether it succeeds or fails. */
export async function timed<Label extends string, Result>(
  histogram: Histogram<Label>,
  labels: Partial<Record<Label, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const begin = performance.now()
  try {
    return await work()
  } finally {
    histogram.observe(labels, (performance.now() - begin) / 1000)
  }
}
