/** What a search learned of one rate. */
export interface Tried<Result> {
  readonly rate: number
  /** Why the rate is too high; empty if Lapwing carried it. */
  readonly crossed: readonly string[]
  readonly result: Result
}

export interface SearchOptions<Result> {
  readonly from: number
  /** No higher rate is tried. */
  readonly upTo: number
  /** Tries a rate. */
  readonly attempt: (rate: number) => Promise<Pick<Tried<Result>, 'crossed' | 'result'>>
  readonly signal?: AbortSignal
}

/**
 * Raises the rate by half until Lapwing no longer carries it, then tries between the last two rates. Returns
 * all tries in their order. The highest carried rate is the capacity.
 */
export async function searchCapacity<Result>({
  from,
  upTo,
  attempt,
  signal,
}: SearchOptions<Result>): Promise<readonly Tried<Result>[]> {
  const tried: Tried<Result>[] = []
  let carried: number | null = null
  let broken: number | null = null
  let rate = from
  for (let narrowed = 0; narrowed <= NARROWINGS && !signal?.aborted; ) {
    const { crossed, result } = await attempt(rate)
    tried.push({ rate, crossed, result })
    if (crossed.length === 0) carried = rate
    else broken = rate
    if (broken !== null) {
      // Below the first rate there is nothing to narrow.
      if (carried === null) break
      rate = (carried + broken) / 2
      narrowed++
    } else {
      if (rate >= upTo) break
      rate = Math.min(upTo, rate * GROWTH)
    }
  }
  return tried
}

const GROWTH = 1.5
const NARROWINGS = 2
