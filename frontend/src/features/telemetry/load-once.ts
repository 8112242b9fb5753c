/** Attempts after the first one (spec 001, 9). */
const RETRIES = 3

/** Milliseconds before an attempt: its number times 2 to the power of it (spec 001, 9). */
export const retryDelayMs = (attempt: number): number => attempt * 2 ** attempt

/** An answer that another attempt would not change, such as a refused key. */
export class FinalError extends Error {
  /** The HTTP status; null without one. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}

/** Loads, up to three times more after failures. Rejects with the last failure. A `FinalError` is never retried. */
export async function withRetries<T>(
  load: () => Promise<T>,
  wait: (ms: number) => Promise<unknown> = ms => new Promise(resolve => setTimeout(resolve, ms)),
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load()
    } catch (error) {
      if (error instanceof FinalError || attempt > RETRIES) throw error
      await wait(retryDelayMs(attempt))
    }
  }
}

/**
 * Returns a function that loads once a page, because providers bill each load. A failed load can be repeated. A
 * call with other options throws: one page has one key.
 */
export function createLoadOnce<Options, T>(
  load: (options: Options) => Promise<T>,
): (options: Options) => Promise<T> {
  let first: { readonly options: string; readonly result: Promise<T> } | null = null
  return options => {
    const text = JSON.stringify(options)
    if (first && first.options !== text) throw new Error('This was loaded before with other options.')
    if (first) return first.result
    const result = withRetries(() => load(options))
    first = { options: text, result }
    result.catch(() => {
      first = null
    })
    return result
  }
}
