import { randomFrom } from '../sample/random.ts'

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
