/** Returns a generator of numbers from 0 to 1, the same for the same seed (mulberry32, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Random {
  /** Returns a whole number from 0 to `limit - 1`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}

/** Returns choices that depend only on the seed. */
export function createRandom(seed: number): Random {
  const next = randomFrom(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, pick: items => items[below(items.length)]! }
}

/** Returns a smooth random function of one variable, about -1 to 1, that changes over about `wavelength`. */
export function smoothNoise(seed: number, wavelength: number): (x: number) => number {
  const random = randomFrom(seed)
  const knots = Float64Array.from({ length: KNOTS }, () => random() * 2 - 1)
  return x => {
    const at = (2 * x) / wavelength
    const knot = Math.floor(at)
    const share = at - knot
    const k = ((knot % KNOTS) + KNOTS) % KNOTS
    // Cubic through four knots (Catmull-Rom), so that the second derivative has no large spikes.
    const a = knots[(k + KNOTS - 1) % KNOTS]!
    const b = knots[k]!
    const c = knots[(k + 1) % KNOTS]!
    const d = knots[(k + 2) % KNOTS]!
    return b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)))
  }
}

const KNOTS = 1024
