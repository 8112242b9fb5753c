import type { Road, RoadPiece } from '@lapwing/simulator'

const RAD = Math.PI / 180

/**
 * Two real circuits, as rounded straights and arcs: exact enough for a lap time and a comparison corner by
 * corner. Their coordinates are left out, because the shape is not exact.
 */
export const SUMMIT_POINT_JEFFERSON: Road = flat([
  ['straight', 284],
  ...corner({ lengthM: 128, turn: -128, tightestM: 33 }),
  ...corner({ lengthM: 58, turn: 28, tightestM: 85 }),
  ['straight', 8],
  ...corner({ lengthM: 78, turn: -48, tightestM: 65 }),
  ['straight', 6],
  ...corner({ lengthM: 100, turn: 130, tightestM: 25 }),
  ...corner({ lengthM: 168, turn: 90, tightestM: 80 }),
  ['straight', 98],
  ...corner({ lengthM: 172, turn: 104, tightestM: 50 }),
  ['straight', 235],
  [500, -8],
  ['straight', 40],
  ...corner({ lengthM: 230, turn: 194, tightestM: 34 }),
  ['straight', 36],
])

export const LIME_ROCK_GRAND_PRIX: Road = flat([
  ['straight', 176],
  ...corner({ lengthM: 343, turn: -192, tightestM: 72 }),
  ['straight', 10],
  ...corner({ lengthM: 196, turn: 129, tightestM: 60 }),
  ['straight', 6],
  ...corner({ lengthM: 244, turn: -93, tightestM: 92 }),
  ['straight', 77],
  [430, 6],
  ['straight', 42],
  ...corner({ lengthM: 74, turn: -55, tightestM: 48 }),
  ['straight', 36],
  [200, -14],
  ['straight', 108],
  [400, -7],
  ['straight', 24],
  ...corner({ lengthM: 192, turn: -69, tightestM: 113 }),
  ['straight', 120],
  ...corner({ lengthM: 239, turn: -70, tightestM: 140 }),
  ['straight', 305],
])

/** Returns a corner with a racing line: wider at both ends than in the middle, which turns most. */
function corner(bend: {
  readonly lengthM: number
  /** Degrees, positive to the left. */
  readonly turn: number
  /** Radius in the middle, metres. */
  readonly tightestM: number
}): readonly RoadPiece[] {
  const middle = 0.6 * bend.turn
  const end = 0.2 * bend.turn
  const middleM = bend.tightestM * Math.abs(middle) * RAD
  const endRadiusM = (bend.lengthM - middleM) / (2 * Math.abs(end) * RAD)
  return [
    [endRadiusM, end],
    [bend.tightestM, middle],
    [endRadiusM, end],
  ]
}

/** Returns a flat road without room beside the line, so that the line is driven as written. */
function flat(pieces: readonly RoadPiece[]): Road {
  return { pieces, roomM: 0.4, altitudeM: () => 180 }
}
