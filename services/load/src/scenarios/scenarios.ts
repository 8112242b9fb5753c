/** What one arriving driver does. */
export type Journey = 'browse' | 'ingest' | 'sign-in' | 'preview'

export const JOURNEYS: readonly Journey[] = ['browse', 'ingest', 'sign-in', 'preview']

/** A load with its limits. k6 and the runner for Node read the same table. */
export interface Scenario {
  readonly name: ScenarioName
  /** Of a hundred arrivals, how many make each journey. */
  readonly mix: Readonly<Partial<Record<Journey, number>>>
  /** Arrivals a second, if none are given. */
  readonly rate: number
  /** The first and the highest rate of a search for the capacity. */
  readonly searchFrom: number
  readonly searchUpTo: number
  /** Arrivals of one driver a minute at most: fewer than any limit of an account allows. */
  readonly arrivalsADriver: number
  /** Journeys in progress at the same time. Further arrivals are dropped, which fails the run. */
  readonly maxInFlight: number
  /** Longest times of a journey, ms, from its scheduled start. */
  readonly within: Readonly<Partial<Record<Journey, { readonly p95: number; readonly p99: number }>>>
}

export type ScenarioName = 'browse' | 'ingest' | 'mixed'

const browseWithin = { p95: 500, p99: 1_500 }
/** The largest files are among the slowest hundredth. */
const ingestWithin = { p95: 5_000, p99: 15_000 }

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  browse: {
    name: 'browse',
    mix: { browse: 100 },
    rate: 10,
    searchFrom: 10,
    searchUpTo: 150,
    arrivalsADriver: 50,
    maxInFlight: 256,
    within: { browse: browseWithin },
  },
  ingest: {
    name: 'ingest',
    mix: { ingest: 100 },
    rate: 1,
    searchFrom: 2,
    searchUpTo: 25,
    arrivalsADriver: 15,
    maxInFlight: 48,
    within: { ingest: ingestWithin },
  },
  mixed: {
    name: 'mixed',
    mix: { browse: 80, 'sign-in': 10, preview: 5, ingest: 5 },
    rate: 5,
    searchFrom: 5,
    searchUpTo: 60,
    arrivalsADriver: 40,
    maxInFlight: 128,
    within: {
      browse: browseWithin,
      ingest: ingestWithin,
      'sign-in': { p95: 1_000, p99: 2_000 },
      preview: { p95: 1_500, p99: 3_000 },
    },
  },
}

/** Sizes of files in MiB, one after the other: 78 % are small, 20 % of 20 MiB, 2 % of the largest size. */
export const FILE_SIZES_MIB: readonly number[] = Array.from({ length: 50 }, (_, index) => {
  if (index === 25) return 100
  return index % 5 === 2 ? 20 : 2
})

/** Returns the journey of an arrival, and how many arrivals made the same one before. */
export function journeyOf(
  { mix }: Scenario,
  arrival: number,
): { readonly journey: Journey; readonly before: number } {
  const slot = slotOf(arrival)
  let from = 0
  for (const journey of JOURNEYS) {
    const share = mix[journey] ?? 0
    if (slot < from + share) {
      let before = Math.floor(arrival / SLOTS) * share
      for (let earlier = 0; earlier < arrival % SLOTS; earlier++) {
        const other = slotOf(earlier)
        if (other >= from && other < from + share) before++
      }
      return { journey, before }
    }
    from += share
  }
  throw new Error('the shares of a scenario must be a hundred together')
}

const SLOTS = 100

/** Spreads each journey evenly: the step has no divisor in common with the number of slots. */
function slotOf(arrival: number): number {
  return (arrival * 61) % SLOTS
}
