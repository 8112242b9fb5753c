/** The mean over `2 * half + 1` neighbours, three times, which is nearly a Gaussian of sigma `half`. */
export function smooth(values: Float64Array, half: number, isClosed: boolean): Float64Array {
  let result = values
  for (let pass = 0; pass < 3; pass++) result = boxMean(result, half, isClosed)
  return result
}

function boxMean(values: Float64Array, half: number, isClosed: boolean): Float64Array {
  const n = values.length
  const result = new Float64Array(n)
  const at = (i: number): number => values[isClosed ? (i + n) % n : Math.min(n - 1, Math.max(0, i))]!
  let sum = 0
  for (let i = -half; i <= half; i++) sum += at(i)
  const size = 2 * half + 1
  for (let i = 0; i < n; i++) {
    result[i] = sum / size
    // `at` is needed near the ends only, and costs more than the sum.
    const isInside = i >= half && i + half + 1 < n
    sum += isInside ? values[i + half + 1]! - values[i - half]! : at(i + half + 1) - at(i - half)
  }
  return result
}
