/**
 * Measures subjects in turn, round after round, so that whatever else the machine does meets all of
 * them alike; every second round goes backwards. Gives the values of each subject by round.
 */
export async function rounds<T>(count: number, subjects: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const values: T[][] = subjects.map(() => [])
  const order = subjects.map((_, i) => i)
  for (let round = 0; round < count; round++) {
    for (const i of round % 2 === 0 ? order : order.toReversed()) values[i]!.push(await subjects[i]!())
  }
  return values
}

/** The median of the ratios of each round. */
export function pairedRatio(ours: readonly number[], peer: readonly number[]): number {
  return median(ours.map((value, round) => value / peer[round]!))
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
