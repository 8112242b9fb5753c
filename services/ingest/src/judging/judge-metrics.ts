import { Histogram } from '@lapwing/metrics'

/**
 * Time to judge a file, with the wait for a thread, by size and outcome. The outcome is `judged`, `refused`,
 * `stopped` with its worker or its lease, or `failed`.
 */
export const judgeSeconds = new Histogram({
  name: 'lapwing_judge_seconds',
  help: 'Time to hash and judge one file, with its wait for a thread.',
  labelNames: ['size', 'outcome'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120],
})

const SIZES = [
  { label: '0-5 MB', mostMb: 5 },
  { label: '5-20 MB', mostMb: 20 },
  { label: '20-50 MB', mostMb: 50 },
  { label: '50-100 MB', mostMb: Number.POSITIVE_INFINITY },
] as const

// Prometheus sees the first failure only if it has read a zero before.
for (const { label } of SIZES) judgeSeconds.zero({ size: label, outcome: 'failed' })

/** Returns the label of a file's size. */
export function sizeLabel(bytes: number): string {
  return SIZES.find(({ mostMb }) => bytes <= mostMb * 1_000_000)!.label
}
