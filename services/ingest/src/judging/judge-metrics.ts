import { Histogram } from '@lapwing/metrics'

/** Time to judge a file, with the wait for a thread, by the size of the file and by the outcome. */
export const judgeSeconds = new Histogram({
  name: 'lapwing_judge_seconds',
  help: 'Time to hash and judge one file, with its wait for a thread.',
  labelNames: ['size', 'outcome'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120],
})

/** Returns the label of a file's size. */
export function sizeLabel(bytes: number): string {
  const MB = 1_000_000
  return bytes <= 5 * MB
    ? '0-5 MB'
    : bytes <= 20 * MB
      ? '5-20 MB'
      : bytes <= 50 * MB
        ? '20-50 MB'
        : '50-100 MB'
}
