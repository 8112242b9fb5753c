import {
  type CornerBounds,
  type FoundCorner,
  MAX_CORNERS,
  type NumberedCorner,
  numberCorners,
  overlap,
  pairCorners,
} from './corner.ts'

/** A corner of a track with a permanent id and number. */
export interface TrackCorner extends NumberedCorner {
  readonly id: number
  /** Its bounds when it was found; it never moves far from them. */
  readonly foundAt: CornerBounds
}

/** The corners of a track, in driving order and without overlap. */
export interface TrackCorners {
  readonly corners: readonly TrackCorner[]
  /** The id of the next new corner; no id is used twice. */
  readonly nextId: number
}

/** Metres by which a bound may move from where its corner was found. */
export const MAX_MOVED_M = 15
/** Share of a new corner that may overlap known corners. */
const MAX_KNOWN = 0.25

/**
 * Moves the corners of a track a little towards the corners that laps show, and adds new ones. Known corners
 * never change id, number, kind or order, and are never removed. A new one between `3` and `4` is `3a`.
 */
export function refineCorners(
  known: TrackCorners,
  found: readonly FoundCorner[],
  lengthM: number | null,
): TrackCorners {
  if (known.corners.length === 0) return firstCorners(found, known.nextId)
  const maxMoved = lengthM === null ? 0 : MAX_MOVED_M / lengthM
  const pairs = pairCorners(known.corners, found)
  const moved = settle(
    known.corners,
    known.corners.map(corner => moveTowards(corner, pairs.get(corner), maxMoved)),
  )
  return found.reduce(withNew, { corners: moved, nextId: known.nextId })
}

function firstCorners(found: readonly FoundCorner[], firstId: number): TrackCorners {
  const corners = numberCorners(found).map((corner, i): TrackCorner => {
    const { startPct, apexPct, endPct } = corner
    return { ...corner, id: firstId + i, foundAt: { startPct, apexPct, endPct } }
  })
  return { corners, nextId: firstId + corners.length }
}

function moveTowards(corner: TrackCorner, seen: FoundCorner | undefined, maxMoved: number): TrackCorner {
  if (seen === undefined) return corner
  const bound = (name: keyof CornerBounds): number => {
    const from = corner.foundAt[name]
    return Math.min(1, Math.max(0, from - maxMoved, Math.min(from + maxMoved, seen[name])))
  }
  return { ...corner, startPct: bound('startPct'), apexPct: bound('apexPct'), endPct: bound('endPct') }
}

/** Reverts the moves of corners that would overlap a neighbour or end before their own start. */
function settle(before: readonly TrackCorner[], moved: readonly TrackCorner[]): readonly TrackCorner[] {
  const settled = [...moved]
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    settled.forEach((corner, i) => {
      const next = settled[i + 1]
      const fits = corner.startPct <= corner.apexPct && corner.apexPct <= corner.endPct
      const isApart = next === undefined || corner.endPct <= next.startPct
      for (const wrong of [...(fits && isApart ? [] : [i]), ...(isApart ? [] : [i + 1])]) {
        if (settled[wrong] === before[wrong]) continue
        settled[wrong] = before[wrong]!
        isChanged = true
      }
    })
  }
  return settled
}

/** Returns the track with one more corner, if it lies between the known ones. */
function withNew(track: TrackCorners, seen: FoundCorner): TrackCorners {
  const { corners, nextId } = track
  if (corners.length >= MAX_CORNERS) return track
  if (corners.some(corner => overlap(corner, seen) > MAX_KNOWN)) return track
  const at = corners.filter(({ apexPct }) => apexPct < seen.apexPct).length
  const startPct = Math.max(seen.startPct, corners[at - 1]?.endPct ?? 0)
  const endPct = Math.min(seen.endPct, corners[at]?.startPct ?? 1)
  if (!(startPct < seen.apexPct && seen.apexPct < endPct)) return track
  const number = numberBehind(corners[at - 1]?.number, corners)
  if (number === null) return track
  const bounds = { startPct, apexPct: seen.apexPct, endPct }
  const { direction } = seen
  const corner: TrackCorner = { ...bounds, direction, kind: 'turn', id: nextId, number, foundAt: bounds }
  return { corners: corners.toSpliced(at, 0, corner), nextId: nextId + 1 }
}

/** Returns `3a` after `3`, `3b` if `3a` exists, `2a` after `1-2`; null if all letters are used. */
function numberBehind(before: string | undefined, corners: readonly TrackCorner[]): string | null {
  const turn = /\d+(?=[a-z]?$)/.exec(before ?? '0')![0]
  const used = new Set(corners.map(({ number }) => number))
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    if (!used.has(turn + letter)) return turn + letter
  }
  return null
}
