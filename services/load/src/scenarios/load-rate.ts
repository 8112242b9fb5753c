/** Arrivals a second over the whole run: constant if both are equal, otherwise rising or falling evenly. */
export interface LoadRate {
  readonly from: number
  readonly to: number
}

/** Reads `20`, or `5-50` for a ramp. Returns null for any other text. */
export function readRate(text: string): LoadRate | null {
  const [from, to = from, ...rest] = text.split('-').map(Number)
  const isRate = (rate: number | undefined) => rate !== undefined && rate > 0 && rate <= MAX_RATE
  if (!isRate(from) || !isRate(to) || rest.length > 0) return null
  return { from: from!, to: to! }
}

const MAX_RATE = 10_000

/** Yields when each iteration starts, in ms from the start of the run. */
export function* arrivalsOf({ from, to }: LoadRate, durationS: number): Generator<number> {
  const gain = (to - from) / durationS
  for (let arrival = 0; ; arrival++) {
    // Solves arrival = from * t + gain * t² / 2, in a form that also holds for a constant rate.
    const root = from ** 2 + 2 * gain * arrival
    if (root < 0) return
    const s = (2 * arrival) / (from + Math.sqrt(root))
    if (s >= durationS) return
    yield s * 1000
  }
}
