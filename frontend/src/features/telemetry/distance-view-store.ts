import { createStore } from '#shared/store/store.ts'

/** A part of the lap, in metres from the line. */
export interface DistanceRange {
  readonly minM: number
  readonly maxM: number
  /** What was chosen by name, such as a corner. Stays chosen as long as its middle is shown. */
  readonly chosen?: ChosenPart | undefined
}

/** A named part of the lap, without the road that is shown before and after it. */
export interface ChosenPart {
  /** "Turn 3". */
  readonly name: string
  readonly startM: number
  readonly endM: number
}

/**
 * The shown part of the lap; null is the whole lap. The one state of traces, outline and map: each of them shows it, and
 * each zoom and drag in one of them sets it.
 */
export type DistanceViewStore = ReturnType<typeof createDistanceViewStore>

export function createDistanceViewStore() {
  const { get, subscribe, set } = createStore<DistanceRange | null>(null)
  return {
    get,
    subscribe,
    set(next: DistanceRange | null) {
      if (!isSame(next, get())) set(next)
    },
  }
}

function isSame(a: DistanceRange | null, b: DistanceRange | null): boolean {
  return a?.minM === b?.minM && a?.maxM === b?.maxM && a?.chosen?.name === b?.chosen?.name
}

/** Share of the lap that is shown before and after a chosen part. */
const MARGIN = 0.008

/** Returns the range that shows a named part of a lap of `lengthM`, with some road before and after it. */
export function rangeOfPart(part: ChosenPart, lengthM: number): DistanceRange {
  return {
    minM: Math.max(0, part.startM - MARGIN * lengthM),
    maxM: Math.min(lengthM, part.endM + MARGIN * lengthM),
    chosen: part,
  }
}

/** Returns the range between two places, in any order; null if it is all of `full`. */
export function rangeBetween(fromM: number, toM: number, full: DistanceRange): DistanceRange | null {
  const minM = Math.max(full.minM, Math.min(fromM, toM))
  const maxM = Math.min(full.maxM, Math.max(fromM, toM))
  const spanM = Math.max(MIN_SPAN_M, maxM - minM)
  return spanM >= full.maxM - full.minM ? null : within((minM + maxM - spanM) / 2, spanM, full)
}

/**
 * Zooms a view to each range with a chosen part, and back to the whole lap after it. Other ranges change nothing.
 * `focus` returns false if it cannot show a range. `follow` does it for the present one.
 */
export function followNamedParts(
  view: DistanceViewStore,
  { focus, reset }: { readonly focus: (part: DistanceRange) => boolean; readonly reset: () => void },
) {
  let isFocused = false
  function follow() {
    const range = view.get()
    if (range?.chosen) isFocused = focus(range) || isFocused
    else if (range === null && isFocused) {
      isFocused = false
      reset()
    }
  }
  return { follow, stop: view.subscribe(follow) }
}

/** Metres. A shorter part has only a few samples at racing speed. */
const MIN_SPAN_M = 20

/** Zooms in (`factor` > 1) or out; `aroundM` keeps its position. Returns null for all of `full`. */
export function zoomDistance(
  range: DistanceRange,
  full: DistanceRange,
  factor: number,
  aroundM: number,
): DistanceRange | null {
  const span = range.maxM - range.minM
  const wanted = Math.max(MIN_SPAN_M, span / factor)
  if (wanted >= full.maxM - full.minM) return null
  const share = (aroundM - range.minM) / span
  return stillChosen(range, within(aroundM - share * wanted, wanted, full))
}

/** Moves the range without changing its length, no further than the lap's ends. */
export function panDistance(range: DistanceRange, full: DistanceRange, byM: number): DistanceRange {
  return stillChosen(range, within(range.minM + byM, range.maxM - range.minM, full))
}

/** Keeps what was chosen in a range, if the next one shows its middle. */
export function stillChosen({ chosen }: DistanceRange, next: DistanceRange): DistanceRange {
  const middleM = chosen ? (chosen.startM + chosen.endM) / 2 : Number.NaN
  return middleM >= next.minM && middleM <= next.maxM ? { ...next, chosen } : next
}

/** Share of the range up to which a car drives before the range moves with it. */
const FOLLOW_AT = 0.6

/** Moves the range so that a car at `metre` is in its first part. Returns the range itself if the car is there. */
export function followDistance(
  range: DistanceRange | null,
  full: DistanceRange,
  metre: number,
): DistanceRange | null {
  if (range === null || !Number.isFinite(metre)) return range
  const furthestM = range.minM + FOLLOW_AT * (range.maxM - range.minM)
  if (metre >= range.minM && metre <= furthestM) return range
  const moved = panDistance(range, full, metre - furthestM)
  return moved.minM === range.minM ? range : moved
}

function within(minM: number, spanM: number, full: DistanceRange): DistanceRange {
  const min = Math.min(full.maxM - spanM, Math.max(full.minM, minM))
  return { minM: min, maxM: min + spanM }
}
