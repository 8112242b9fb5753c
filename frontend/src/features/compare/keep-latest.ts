/** Remembers the answers of slow questions. */
export interface Kept<T> {
  /** The answer at hand, or the one that is being asked for, or a new one. A failure is not remembered. */
  get(key: string): Promise<T>
  clear(): void
}

/** Keeps the `max` answers that were used last. */
export function keepLatest<T>(max: number, ask: (key: string) => Promise<T>): Kept<T> {
  const kept = new Map<string, Promise<T>>()
  return {
    get(key) {
      const answer = kept.get(key) ?? ask(key)
      // Set anew, so that it is the youngest.
      kept.delete(key)
      kept.set(key, answer)
      answer.catch(() => {
        if (kept.get(key) === answer) kept.delete(key)
      })
      const [oldest] = kept.keys()
      if (kept.size > max && oldest !== undefined) kept.delete(oldest)
      return answer
    },
    clear: () => kept.clear(),
  }
}
