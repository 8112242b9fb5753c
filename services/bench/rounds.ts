/**
 * Measures subjects in turn, round after round, so that other load on the machine hits all of them equally.
 * Every second round goes backwards. Returns the values of each subject by round.
 */
export async function rounds<T>(count: number, subjects: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const values: T[][] = subjects.map(() => [])
  const order = subjects.map((_, i) => i)
  for (let round = 0; round < count; round++) {
    for (const i of round % 2 === 0 ? order : order.toReversed()) values[i]!.push(await subjects[i]!())
  }
  return values
}

/** Returns the median of the rounds' ratios. */
export function pairedRatio(ours: readonly number[], peer: readonly number[]): number {
  return median(ours.map((value, round) => value / peer[round]!))
}

/**
 * Returns the 95 % confidence interval of the ratio that the rounds have on average: the geometric mean, by Student's
 * distribution of the logarithms. Needs two rounds.
 */
export function pairedInterval(
  ours: readonly number[],
  peer: readonly number[],
): { readonly low: number; readonly high: number } {
  const logs = ours.map((value, round) => Math.log(value / peer[round]!))
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1)
  const half = studentT(logs.length - 1) * Math.sqrt(variance / logs.length)
  return { low: Math.exp(mean - half), high: Math.exp(mean + half) }
}

/** Returns the 97.5 % quantile of Student's distribution, to 1 % from three degrees of freedom (Cornish and Fisher). */
function studentT(degrees: number): number {
  const z = 1.959964
  const first = (z ** 3 + z) / 4
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
