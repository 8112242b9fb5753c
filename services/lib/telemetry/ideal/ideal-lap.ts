import type { LapTrack } from '../compare/lap-track.ts'
import { MINI_SECTORS } from '../compare/mini-sectors.ts'
import { drivenThrough, type PathStep, seamCostS } from './joined-drive.ts'
import { canMove, gripOf, isJoinable, isNear, type JoinableTrack, type Load, loadOf } from './seams.ts'

/** A part of the ideal lap. */
export interface IdealPart {
  /** Index of the lap that it comes from. */
  readonly lap: number
  /** Shares of the lap; the next part begins where this one ends. */
  readonly fromPct: number
  readonly toPct: number
}

/** The fastest lap that parts of real laps make. Nobody drove it as a whole. */
export interface IdealLap {
  /** Its series come from the laps of its parts. Its `timeMs` is computed, not scored. */
  readonly track: LapTrack
  /** In driving order, from 0 to 1. One part is one lap: no other part joins to a faster one. */
  readonly parts: readonly IdealPart[]
}

/**
 * Finds the ideal lap of these laps: clean ones of one driver and one car, under the same conditions. Parts join only
 * at bounds of mini-sectors where both laps had nearly the same speed and place (`seams.ts`). The car must still reach
 * the speed of the next part (`joined-drive.ts`). So it is never faster than the car could be, and never slower
 * than the fastest lap. Laps without speed or positions take no part, nor do laps with other steps than the first one
 * that has both. Returns null if no lap is left.
 */
export function idealLap(laps: readonly LapTrack[]): IdealLap | null {
  const search = searchIdealLap(laps)
  for (;;) {
    const { done, value } = search.next()
    if (done) return value
  }
}

/** Does the same in steps of a few milliseconds. */
export function* searchIdealLap(laps: readonly LapTrack[]): Generator<void, IdealLap | null> {
  const usable = laps.flatMap((track, index) => (isJoinable(track) ? { track, index } : []))
  const first = usable[0]
  if (first === undefined) return null
  const points = first.track.pct.length
  const sources = usable.filter(({ track }) => track.pct.length === points)
  const tracks = sources.map(({ track }) => scaled(track))
  const path = yield* shortestPath(tracks)

  const fastest = tracks.reduce((best, { timeMs }, i) => (timeMs < tracks[best]!.timeMs ? i : best), 0)
  const joined = path.length === 1 ? null : drivenThrough(tracks, path)
  const isFaster = joined !== null && joined.timeMs < tracks[fastest]!.timeMs
  const steps = isFaster ? path : [{ lap: fastest, from: 0, to: points - 1 }]
  return {
    track: isFaster ? joined : sources[fastest]!.track,
    parts: steps.map(({ lap, from, to }) => ({
      lap: sources[lap]!.index,
      fromPct: from / (points - 1),
      toPct: to / (points - 1),
    })),
  }
}

/** Spreads what the recording misses of the scored time over the lap, like the delta. Parts then add up to scored times. */
function scaled(track: JoinableTrack): JoinableTrack {
  const missedS = track.time.at(-1)! - track.timeMs / 1000
  return { ...track, time: track.time.map((seconds, i) => seconds - missedS * track.pct[i]!) }
}

/** Finds the laps whose parts and seams take the least time: a shortest path from bound to bound. */
function* shortestPath(laps: readonly JoinableTrack[]): Generator<void, PathStep[]> {
  const last = laps[0]!.pct.length - 1
  const loads: Load[] = []
  for (const lap of laps) {
    loads.push(loadOf(lap))
    yield
  }
  const grip = gripOf(laps, loads)
  const bounds = Array.from({ length: MINI_SECTORS + 1 }, (_, i) => Math.round((i / MINI_SECTORS) * last))
  /** Least seconds up to the bound, by the lap on which the car arrives. */
  let least = laps.map(({ time }) => time[bounds[1]!]!)
  /** For each bound and each lap after it, the lap before it. */
  const before: Int32Array[] = []
  for (let bound = 1; bound < MINI_SECTORS; bound++) {
    yield
    const [at, to] = [bounds[bound]!, bounds[bound + 1]!]
    const from = new Int32Array(laps.length)
    const next = laps.map(({ time }, lap) => {
      let best = least[lap]!
      from[lap] = lap
      for (const [other, lapBefore] of laps.entries()) {
        // The seam costs at least nothing.
        if (least[other]! >= best || !isNear(lapBefore, laps[lap]!, at)) continue
        const seconds = least[other]! + seamCostS(lapBefore, laps[lap]!, at)
        const pair = [lapBefore, laps[lap]!] as const
        if (seconds >= best || !canMove(pair, [loads[other]!, loads[lap]!], at, grip)) continue
        best = seconds
        from[lap] = other
      }
      return best + time[to]! - time[at]!
    })
    before.push(from)
    least = next
  }
  let lap = least.reduce((best, seconds, i) => (seconds < least[best]! ? i : best), 0)
  const steps: PathStep[] = [{ lap, from: bounds[MINI_SECTORS - 1]!, to: last }]
  for (let bound = MINI_SECTORS - 1; bound > 0; bound--) {
    lap = before[bound - 1]![lap]!
    const [from, next] = [bounds[bound - 1]!, steps[0]!]
    if (next.lap === lap) steps[0] = { ...next, from }
    else steps.unshift({ lap, from, to: next.from })
  }
  return steps
}
