import { randomBytes } from 'node:crypto'

/** Values behind random keys that expire. Holds at most the newest thousand. */
export class ShortLived<Value> {
  readonly #held = new Map<string, { readonly value: Value; readonly endsAt: number }>()
  readonly #lifetimeMs: number
  readonly #now: () => number

  constructor({ lifetimeMs, now }: { readonly lifetimeMs: number; readonly now: () => number }) {
    this.#lifetimeMs = lifetimeMs
    this.#now = now
  }

  /** Stores a value and returns its key. */
  add(value: Value): string {
    const key = randomBytes(24).toString('base64url')
    this.#held.set(key, { value, endsAt: this.#now() + this.#lifetimeMs })
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= 1000) break
      this.#held.delete(oldest)
    }
    return key
  }

  get(key: string): Value | null {
    const held = this.#held.get(key)
    return held !== undefined && this.#now() < held.endsAt ? held.value : null
  }

  /** Returns a value like `get`, and deletes it. */
  take(key: string): Value | null {
    const value = this.get(key)
    this.#held.delete(key)
    return value
  }
}
