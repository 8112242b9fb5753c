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

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
