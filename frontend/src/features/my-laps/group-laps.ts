import type { MyLap } from './my-laps-api.ts'

/** The laps of one simulator session of one file. */
export interface LapGroup {
  readonly key: string
  /** In the order of the list; at least one. */
  readonly laps: readonly MyLap[]
}

/** Groups laps by file and session kind, in the order of each group's first lap. */
export function groupLaps(laps: readonly MyLap[]): readonly LapGroup[] {
  const groups = new Map<string, MyLap[]>()
  for (const lap of laps) {
    const key = `${lap.ingest_id} ${lap.session_kind ?? ''}`
    const group = groups.get(key)
    if (group) group.push(lap)
    else groups.set(key, [lap])
  }
  return Array.from(groups, ([key, laps]) => ({ key, laps }))
}
