import type { ColumnValues } from '../columns.ts'
import type { Segment } from './find-segments.ts'
import { type IncidentKind, type LapIncident, MAX_LAP_INCIDENTS } from './lap.ts'
import { type LapData, ROW } from './lap-data.ts'
import { endOfRun } from './runs.ts'

/** irsdk_TrkLoc. */
export const SURFACE_OFF_TRACK = 0

/**
 * Returns the incidents of a lap in driving order: trips off the track, pulses of PlayerIncidents, and rises
 * of the incident count. What follows within a second belongs to the same incident.
 */
export function findIncidents(data: LapData, segment: Segment, next: Segment | null): LapIncident[] {
  const { timeS } = data
  const found = [
    ...findRuns(data, segment, data.channel.PlayerTrackSurface, offTrack),
    ...findRuns(data, segment, data.channel.PlayerIncidents, pulseKind),
    ...findRises(data, segment)
      .filter(({ isOfLapBefore }) => !isOfLapBefore)
      .map(({ row }) => moment(row)),
    ...(next !== null && findRises(data, next).some(({ isOfLapBefore }) => isOfLapBefore)
      ? [moment(segment.rowEnd)]
      : []),
  ].sort((a, b) => a.row_start - b.row_start)
  const incidents: LapIncident[] = []
  for (const incident of found) {
    const before = incidents.at(-1)
    if (before === undefined || timeS[incident.row_start]! - timeS[before.row_end]! > ONE_INCIDENT_S) {
      if (incidents.length === MAX_LAP_INCIDENTS) return incidents
      incidents.push(incident)
      continue
    }
    const kind = before.kind === 'unknown' ? incident.kind : before.kind
    // The count rises late: its row is not where the incident ends.
    const row_end = incident.kind === 'unknown' ? before.row_end : Math.max(before.row_end, incident.row_end)
    incidents[incidents.length - 1] = { ...before, kind, row_end }
  }
  return incidents
}

const ONE_INCIDENT_S = 1

function moment(row: number): LapIncident {
  return { kind: 'unknown', row_start: row, row_end: row }
}

function offTrack(surface: number): IncidentKind | null {
  return surface === SURFACE_OFF_TRACK ? 'off_track' : null
}

/** The low byte of irsdk_IncidentFlags says what happened, the next one what it costs. */
const PULSE_KINDS: Readonly<Record<number, IncidentKind>> = {
  1: 'loss_of_control',
  2: 'off_track',
  3: 'off_track',
  4: 'contact',
  5: 'contact',
  6: 'contact',
  7: 'contact',
  8: 'contact',
}

function pulseKind(pulse: number): IncidentKind | null {
  return pulse === 0 ? null : (PULSE_KINDS[pulse & 0xff] ?? 'unknown')
}

/** Returns the runs of rows in which a channel shows an incident. */
function findRuns(
  { kind }: LapData,
  { rowStart, rowEnd }: Segment,
  values: ColumnValues | null,
  kindOf: (value: number) => IncidentKind | null,
): LapIncident[] {
  if (values === null) return []
  const runs: LapIncident[] = []
  for (let row = rowStart; row <= rowEnd; ) {
    const next = endOfRun(values, row, rowEnd + 1)
    const incident = kindOf(values[row]!)
    let [first, last] = [row, next - 1]
    while (first <= last && kind[first] !== ROW.GOOD) first++
    while (last > first && kind[last] !== ROW.GOOD) last--
    if (incident !== null && first <= last) runs.push({ kind: incident, row_start: first, row_end: last })
    row = next
  }
  return runs
}

/** A rise of the incident count. */
interface Rise {
  readonly row: number
  readonly isOfLapBefore: boolean
}

/**
 * Finds rises of the incident count, which starts at the session's total. PlayerIncidents pulses for one row
 * at each contact, also at one that costs nothing. The count follows its cause by up to a second. So a rise
 * just after the line belongs to the lap before, unless something in the new lap explains it.
 */
export function findRises(data: LapData, segment: Segment): readonly Rise[] {
  const { kind, timeS } = data
  const count = data.channel.PlayerCarMyIncidentCount
  if (count === null) return []
  const rises: Rise[] = []
  let before = segment.rowBefore === -1 ? segment.rowStart : segment.rowBefore
  const end = segment.rowEnd + 1
  for (let row = segment.rowStart; row < end; ) {
    const next = endOfRun(count, row, end)
    while (row < next && kind[row] === ROW.JUNK) row++
    if (row < next) {
      if (count[row]! > count[before]!) {
        const isLate = segment.start === 'line' && timeS[row]! - segment.openTimeS <= INCIDENT_LATE_S
        rises.push({ row, isOfLapBefore: isLate && !hasCauseUpTo(data, segment, row) })
      }
      before = row
    }
    row = next
  }
  return rises
}

const INCIDENT_LATE_S = 1

function hasCauseUpTo({ kind, channel }: LapData, segment: Segment, last: number): boolean {
  const { PlayerIncidents: pulse, PlayerTrackSurface: surface } = channel
  for (let row = segment.rowStart; row <= last; row++) {
    if (kind[row] === ROW.JUNK) continue
    if (pulse !== null && pulse[row] !== 0) return true
    if (surface !== null && surface[row] === SURFACE_OFF_TRACK) return true
  }
  return false
}
