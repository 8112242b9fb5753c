import type { CornerBounds } from '../corners/corner.ts'
import type { IncidentKind } from '../laps/lap.ts'
import { valueAt } from './delta-trace.ts'
import type { LapTrack } from './lap-track.ts'

/** An incident of one of two laps, with the part of the lap on which it cost time. No two parts overlap. */
export interface IncidentPart {
  readonly kind: IncidentKind
  /** The lap that had the incident. */
  readonly of: 'lap' | 'reference'
  /** Shares of the lap at which it began and ended. */
  readonly fromPct: number
  readonly toPct: number
  /** From where the car lost its speed to where it had it again. */
  readonly startPct: number
  readonly endPct: number
}

/** Returns the incidents of two laps in the order of the lap. */
export function incidentParts(
  corners: readonly CornerBounds[],
  lap: LapTrack,
  reference: LapTrack,
): readonly IncidentPart[] {
  const all = [
    ...partsOf('lap', lap, reference, corners),
    ...partsOf('reference', reference, lap, corners),
  ].sort((a, b) => a.startPct - b.startPct)
  const parts: IncidentPart[] = []
  for (const part of all) {
    const before = parts.at(-1)
    if (before === undefined || part.startPct >= before.endPct) {
      parts.push(part)
    } else if (before.of === part.of) {
      const toPct = Math.max(before.toPct, part.toPct)
      parts[parts.length - 1] = { ...before, toPct, endPct: Math.max(before.endPct, part.endPct) }
    } else if (part.endPct > before.endPct) {
      parts.push({ ...part, startPct: before.endPct })
    }
  }
  return parts
}

/** A car is slow below this share of the other's speed. */
const SLOW = 0.97
/** Seconds before and after a contact that are its part at least. */
const MOMENT_S = 0.25

function partsOf(
  of: IncidentPart['of'],
  track: LapTrack,
  other: LapTrack,
  corners: readonly CornerBounds[],
): IncidentPart[] {
  const { pct, time, speed } = track
  const last = pct.length - 1
  const isSlow = (i: number): boolean =>
    speed !== undefined && other.speed !== undefined && speed[i]! < SLOW * valueAt(other.speed, pct[i]!)
  return (track.incidents ?? []).map(({ kind, fromPct, toPct }) => {
    // What happened at the corner before, or happens at the next, has its own row.
    const first = Math.round(last * (corners.findLast(({ apexPct }) => apexPct < fromPct)?.apexPct ?? 0))
    const end = Math.round(last * (corners.find(({ startPct }) => startPct > toPct)?.startPct ?? 1))
    let a = Math.floor(fromPct * last)
    let b = Math.ceil(toPct * last)
    const fromS = time[a]! - MOMENT_S
    const toS = time[b]! + MOMENT_S
    while (a > 0 && (time[a - 1]! >= fromS || (a > first && isSlow(a - 1)))) a--
    while (b < last && (time[b + 1]! <= toS || (b < end && isSlow(b + 1)))) b++
    return { kind, of, fromPct, toPct, startPct: a / last, endPct: b / last }
  })
}
