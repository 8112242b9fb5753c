import type { Lap } from '../laps/lap.ts'
import { isInTraffic, type LapLog } from './lap-log.ts'

/** What a lap was, in the order of a list. */
export const LAP_KINDS = ['out', 'in', 'grid', 'caution', 'traffic', 'incident'] as const

export type LapKind = (typeof LAP_KINDS)[number]

/**
 * Returns what a lap was, for display: no verdict follows from it. They are its reasons and incidents in fewer words,
 * and whether a car was close ahead. `log` is null if the channels of the file were not read.
 */
export function lapKinds({ reasons, incidents }: Lap, log: LapLog | null): readonly LapKind[] {
  const is: Readonly<Record<LapKind, boolean>> = {
    out: reasons.includes('OUT'),
    in: reasons.includes('IN'),
    grid: reasons.includes('GRID'),
    caution: reasons.includes('CAUTION'),
    traffic: log !== null && isInTraffic(log),
    incident: reasons.includes('INCIDENT') || reasons.includes('OFF_TRACK') || incidents.length > 0,
  }
  return LAP_KINDS.filter(kind => is[kind])
}
