/** Bounds of a corner as shares of the lap within 0..1. No corner lies across the line. */
export interface CornerBounds {
  /** Where cars begin to slow; if they do not slow, where they begin to turn. */
  readonly startPct: number
  /** Where cars are slowest. If they do not slow or the speed is unknown: where the road bends most. */
  readonly apexPct: number
  /** Where the road is straight again. */
  readonly endPct: number
}

/** `oval_end`: one end of an oval, which counts as two turns: 1 and 2, or 3 and 4. */
export type CornerKind = 'turn' | 'oval_end'

/** A corner that laps show. */
export interface FoundCorner extends CornerBounds {
  readonly direction: 'left' | 'right'
  readonly kind: CornerKind
}

/** A corner with its number on the track: "3", "3a" if it was found later, "1-2" for an end of an oval. */
export interface NumberedCorner extends FoundCorner {
  readonly number: string
}

/** A corner with its name. */
export interface Corner extends NumberedCorner {
  /** `Turn 3`, `Turns 1–2`. */
  readonly name: string
  /** The name that drivers use, such as `Big Bend`; null if it has none or we do not know it. */
  readonly knownAs: string | null
}

/** The longest circuit has fewer; a forged lap may have any number. */
export const MAX_CORNERS = 250

/** Numbers the corners of a track for the first time: `1` is the first after the line. */
export function numberCorners(found: readonly FoundCorner[]): readonly NumberedCorner[] {
  let turns = 0
  return found.map(corner => {
    const first = ++turns
    if (corner.kind === 'turn') return { ...corner, number: String(first) }
    return { ...corner, number: `${first}-${++turns}` }
  })
}

/** Returns the share of the shorter of two corners that lies in the other one. */
export function overlap(a: CornerBounds, b: CornerBounds): number {
  const both = Math.min(a.endPct, b.endPct) - Math.max(a.startPct, b.startPct)
  return both > 0 ? both / Math.min(a.endPct - a.startPct, b.endPct - b.startPct) : 0
}

/** Overlap from which two corners are one. */
const SAME_SHARE = 0.5

function isSameCorner(a: FoundCorner, b: FoundCorner): boolean {
  return a.direction === b.direction && overlap(a, b) >= SAME_SHARE
}

/**
 * Pairs the corners of two lists that are the same: they bend the same way, and at least half of one lies in
 * the other. A corner that the other list splits in two has no pair.
 */
export function pairCorners<A extends FoundCorner, B extends FoundCorner>(
  ours: readonly A[],
  theirs: readonly B[],
): ReadonlyMap<A, B> {
  const pairs = new Map<A, B>()
  for (const a of ours) {
    const [b, ...others] = theirs.filter(other => isSameCorner(a, other))
    if (b === undefined || others.length > 0) continue
    if (ours.filter(other => isSameCorner(other, b)).length === 1) pairs.set(a, b)
  }
  return pairs
}

/**
 * Returns true if at least half of the found corners are known ones. Otherwise they belong to another road.
 */
export function isSameRoad(known: readonly FoundCorner[], found: readonly FoundCorner[]): boolean {
  const same = found.filter(corner => known.some(other => isSameCorner(other, corner)))
  return found.length > 0 && same.length >= found.length / 2
}
