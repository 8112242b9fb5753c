/** Caches the `max` slow answers that were used last. */
export function keepLatest<T>(max: number, ask: (key: string) => Promise<T>) {
  const kept = new Map<string, Promise<T>>()
  return {
    /** Returns the cached answer, the pending one or a new one. Failures are not cached. */
    get(key: string): Promise<T> {
      const answer = kept.get(key) ?? ask(key)
      // Sets it again, so that it is the newest entry.
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
