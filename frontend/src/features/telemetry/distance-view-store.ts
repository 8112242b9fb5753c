import { createStore } from '#shared/store/store.ts'

/** A part of the lap, in metres from the line. */
export interface DistanceRange {
  readonly minM: number
  readonly maxM: number
  /** What is there, such as "Turn 3", if the part was chosen by name. The outline then zooms to it, too. */
  readonly name?: string
}

/** The shown part of the lap; null is the whole lap. Shared, so that choosing a corner zooms the traces. */
export type DistanceViewStore = ReturnType<typeof createDistanceViewStore>

export function createDistanceViewStore() {
  const { get, subscribe, set } = createStore<DistanceRange | null>(null)
  return {
    get,
    subscribe,
    set(next: DistanceRange | null) {
      const range = get()
      if (next?.minM === range?.minM && next?.maxM === range?.maxM && next?.name === range?.name) return
      set(next)
    },
  }
}

/**
 * Zooms a view to each part with a name, and back to the whole lap after it. A part without a name changes
 * nothing. `focus` returns false if it cannot show a part. `follow` does it for the present part.
 */
export function followNamedParts(
  view: DistanceViewStore,
  { focus, reset }: { readonly focus: (part: DistanceRange) => boolean; readonly reset: () => void },
) {
  let isFocused = false
  function follow() {
    const range = view.get()
    if (range?.name) isFocused = focus(range) || isFocused
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
  return within(aroundM - share * wanted, wanted, full)
}

/** Moves the range without changing its length, no further than the lap's ends. */
export function panDistance(range: DistanceRange, full: DistanceRange, byM: number): DistanceRange {
  return within(range.minM + byM, range.maxM - range.minM, full)
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
