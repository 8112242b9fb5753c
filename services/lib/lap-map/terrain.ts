import type { TrackSurface } from './track-surface.ts'

/** Land around a road: a grid of points in metres. The grid is fine at the road and coarse at the horizon. */
export interface Terrain {
  /** Points a side. */
  readonly side: number
  /** `x`, `y` and `z` of each point, row by row. */
  readonly points: Float32Array
  /** Metres from each point to the middle of the road. */
  readonly toRoad: Float32Array
}

const SIDE = 132
/** Rows at each end that reach from the land around the road to the horizon. */
const FAR_ROWS = 22
/** Metres around the road that the fine part covers, and to the horizon. */
const AROUND_M = 500
const HORIZON_M = 60_000

/** Below the road, so that the land does not cut through it. */
const BELOW_ROAD_M = 0.35
/** Most points of the road that shape the land. */
const ROAD_POINTS = 160

/** Distances between which invented hills grow to their height. */
const FLAT_M = 70
const HILLS_M = 1100

/**
 * Shapes the land around a road. At the road it has the road's height; between roads it is interpolated.
 * Farther away nothing is known, so there are low hills, the same ones for the same road. Null without a road.
 */
export function terrainAround(surfaces: readonly TrackSurface[]): Terrain | null {
  const road = thinned(surfaces)
  if (road.length === 0) return null
  const xs = road.map(([x]) => x)
  const zs = road.map(([, , z]) => z)
  const ys = road.map(([, y]) => y)
  const lines = [spaced(Math.min(...xs), Math.max(...xs)), spaced(Math.min(...zs), Math.max(...zs))] as const
  const mean = ys.reduce((sum, y) => sum + y, 0) / ys.length
  const hills = Math.min(45, Math.max(9, 1.2 * (Math.max(...ys) - Math.min(...ys))))
  const points = new Float32Array(SIDE * SIDE * 3)
  const toRoad = new Float32Array(SIDE * SIDE)
  for (let row = 0, at = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++, at++) {
      const x = lines[0][column]!
      const z = lines[1][row]!
      let nearest = Number.POSITIVE_INFINITY
      // The mean has a small weight, so that the land far away returns to it.
      let weights = 1e-9
      let heights = mean * weights
      for (const [roadX, roadY, roadZ] of road) {
        const square = (roadX - x) ** 2 + (roadZ - z) ** 2
        if (square < nearest) nearest = square
        const weight = 1 / (square * square + 4000)
        weights += weight
        heights += weight * roadY
      }
      const away = Math.sqrt(nearest)
      const grown = smooth((away - FLAT_M) / HILLS_M)
      points[3 * at] = x
      points[3 * at + 1] = heights / weights - BELOW_ROAD_M + grown * hills * hill(x, z)
      points[3 * at + 2] = z
      toRoad[at] = away
    }
  }
  return { side: SIDE, points, toRoad }
}

/** Returns at most `ROAD_POINTS` points of the road, evenly spread. */
function thinned(surfaces: readonly TrackSurface[]): (readonly [number, number, number])[] {
  const all = surfaces.reduce((sum, { x }) => sum + x.length, 0)
  const every = Math.max(1, Math.ceil(all / ROAD_POINTS))
  return surfaces.flatMap(({ x, y, z }) => {
    const points: [number, number, number][] = []
    for (let i = 0; i < x.length; i += every) points.push([x[i]!, y[i]!, z[i]!])
    return points
  })
}

/** Returns ascending places of grid lines: even around `from..to`, then ever farther apart to the horizon. */
function spaced(from: number, to: number): Float64Array {
  const start = from - AROUND_M
  const end = to + AROUND_M
  const inner = SIDE - 2 * FAR_ROWS
  const step = (end - start) / (inner - 1)
  const growth = (HORIZON_M / step) ** (1 / FAR_ROWS)
  return Float64Array.from({ length: SIDE }, (_, i) => {
    if (i < FAR_ROWS) return start - step * growth ** (FAR_ROWS - i)
    if (i >= SIDE - FAR_ROWS) return end + step * growth ** (i - (SIDE - FAR_ROWS) + 1)
    return start + step * (i - FAR_ROWS)
  })
}

const smooth = (value: number) => {
  const part = Math.min(1, Math.max(0, value))
  return part * part * (3 - 2 * part)
}

/** Returns the height of a hill from -0.5 to 1: waves of four lengths, some kilometres to some hundred metres. */
function hill(x: number, z: number): number {
  const wave = (lengthM: number, angle: number, phase: number) =>
    Math.sin(((x * Math.cos(angle) + z * Math.sin(angle)) * 2 * Math.PI) / lengthM + phase)
  const long = wave(3900, 0.4, 0.3) * wave(2900, 1.9, 1.2)
  const short = wave(1300, 1.1, 2.1) * wave(870, 2.6, 0.7)
  return 0.3 + 0.5 * long + 0.22 * short + 0.05 * wave(390, 0.8, 1.7)
}
