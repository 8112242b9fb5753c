/** How much time a mini-sector costs: 0 the best, 1 hardly any, to 4 a tenth and more. */
export type LossLevel = 0 | 1 | 2 | 3 | 4

/** Seconds from which a loss has each level. */
const FROM_S = [0.0005, 0.02, 0.05, 0.1] as const

export function lossLevel(lossS: number): LossLevel {
  return FROM_S.filter(fromS => lossS >= fromS).length as LossLevel
}

/** Returns the mini-sectors that cost most, at most `count`, the costliest first, as indices; only visible losses. */
export function costliest(lossesS: Float64Array, count: number): readonly number[] {
  return Array.from(lossesS, (lossS, index) => ({ lossS, index }))
    .filter(({ lossS }) => lossLevel(lossS) > 1)
    .sort((a, b) => b.lossS - a.lossS)
    .slice(0, count)
    .map(({ index }) => index)
}
