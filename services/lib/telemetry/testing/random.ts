import { randomFrom } from '../sample/random.ts'

export interface Random {
  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}

/** Choices that depend on the seed alone. */
export function createRandom(seed: number): Random {
  const next = randomFrom(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, pick: items => items[below(items.length)]! }
}
