/** Creates the series of a channel that a file lacks, by its type: no numbers, or gear 0. */
export const missingSeries = {
  int8: (rows: number) => new Int8Array(rows),
  float32: (rows: number) => new Float32Array(rows).fill(Number.NaN),
  float64: (rows: number) => new Float64Array(rows).fill(Number.NaN),
} as const
