import type { Corner } from '../corners/corner.ts'
import type { IncidentKind } from '../laps/lap.ts'
import { type CornerFigures, cornerFigures } from './corner-figures.ts'
import { deltaTrace, valueAt } from './delta-trace.ts'
import { type IncidentPart, incidentParts } from './incident-parts.ts'
import type { LapTrack } from './lap-track.ts'

/** One stretch of the lap: a corner, a straight before, between or after corners, or an incident. */
export interface CornerComparison {
  readonly kind: 'corner' | 'straight' | 'incident'
  /**
   * `Turn 1`; of a straight `Line to Turn 1`, `Turn 1 to Turn 2`, `Turn 9 to line`; of an incident
   * `Off in Turn 1`, `Contact after Turn 1`. No two stretches have the same name.
   */
  readonly name: string
  readonly startPct: number
  readonly endPct: number
  /** Null if it is none, like the figures of both laps. */
  readonly corner: Corner | null
  readonly lap: CornerFigures | null
  readonly reference: CornerFigures | null
  /** Null if it is none. */
  readonly incident: IncidentPart | null
  /** Seconds lost here against the reference; negative if the lap gained time. */
  readonly lossS: number
  /** The same in whole milliseconds, rounded so that all stretches add up to the gap. */
  readonly lossMs: number
  /** Of `lossMs`, what was lost up to the apex of the corner. Null if it is none. */
  readonly toApexMs: number | null
  /** Speed of the reference where the lap is slowest, m/s. Null if it is no corner, or either is unknown. */
  readonly referenceAtApexMps: number | null
}

/**
 * Returns the whole lap in stretches, in driving order. Corners and straights leave no hole. An incident lies
 * on top of them, and its loss is its own: the corners and straights below lose only what was lost beside it.
 * So all losses add up to the gap of the scored times, at which `deltaTrace` ends. A straight that an
 * incident covers is left out.
 */
export function compareCorners(
  corners: readonly Corner[],
  lap: LapTrack,
  reference: LapTrack,
): readonly CornerComparison[] {
  const { delta } = deltaTrace(lap, reference)
  // One length for both laps, so that a point has one distance: that of the axis on which the lap is drawn.
  const lengthM = lap.lengthM ?? reference.lengthM
  const incidents = incidentParts(corners, lap, reference)
  const figuresOf = (track: LapTrack, of: IncidentPart['of']): readonly CornerFigures[] =>
    cornerFigures(
      track,
      corners,
      lengthM,
      incidents.filter(incident => incident.of === of),
    )
  const ofLap = figuresOf(lap, 'lap')
  const ofReference = figuresOf(reference, 'reference')

  const loss = (parts: readonly Part[]): Pick<CornerComparison, 'lossS' | 'lossMs'> => {
    let lossS = 0
    let lossMs = 0
    for (const { startPct, endPct } of parts) {
      const [beforeS, afterS] = [valueAt(delta, startPct), valueAt(delta, endPct)]
      lossS += afterS - beforeS
      // Rounds the ends, not the losses, whose errors would add up.
      lossMs += Math.round(afterS * 1000) - Math.round(beforeS * 1000)
    }
    // Avoids a -0 on the page.
    return { lossS, lossMs: lossMs || 0 }
  }
  const none = {
    corner: null,
    lap: null,
    reference: null,
    incident: null,
    toApexMs: null,
    referenceAtApexMps: null,
  }
  const roads = stretches(corners).flatMap(({ index, ...stretch }): CornerComparison[] => {
    const parts = without(stretch, incidents)
    if (index === null) {
      return parts.length === 0 ? [] : [{ ...none, kind: 'straight', ...stretch, ...loss(parts) }]
    }
    const corner = corners[index]!
    const figures = { corner, lap: ofLap[index]!, reference: ofReference[index]! }
    const toApexMs = loss(without({ ...stretch, endPct: corner.apexPct }, incidents)).lossMs
    const referenceAtApexMps = speedThere(figures, reference, lengthM)
    return [{ ...none, kind: 'corner', ...stretch, ...figures, ...loss(parts), toApexMs, referenceAtApexMps }]
  })
  const names = incidentNames(incidents, corners)
  const happened = incidents.map((incident, i): CornerComparison => {
    const { startPct, endPct } = incident
    return { ...none, kind: 'incident', name: names[i]!, startPct, endPct, incident, ...loss([incident]) }
  })
  // An incident comes after the corner in which it began.
  return [...roads, ...happened].sort((a, b) => a.startPct - b.startPct)
}

/** Returns the speed of the reference where the lap is slowest; null if it says nothing about the corner. */
function speedThere(
  of: { readonly lap: CornerFigures; readonly reference: CornerFigures },
  { speed }: LapTrack,
  lengthM: number | null,
): number | null {
  const { apexM } = of.lap
  if (speed === undefined || apexM === null || lengthM === null || of.reference.minSpeedMps === null)
    return null
  const there = valueAt(speed, apexM / lengthM)
  return Number.isFinite(there) ? there : null
}

interface Part {
  readonly startPct: number
  readonly endPct: number
}

interface Stretch extends Part {
  readonly name: string
  /** Index of the corner; null for a straight. */
  readonly index: number | null
}

function stretches(corners: readonly Corner[]): Stretch[] {
  const all: Stretch[] = []
  let at = 0
  let from = 'Line'
  const straight = (to: string, endPct: number): void => {
    if (endPct > at) all.push({ name: `${from} to ${to}`, startPct: at, endPct, index: null })
  }
  corners.forEach(({ name, startPct, endPct }, index) => {
    straight(name, startPct)
    all.push({ name, startPct, endPct, index })
    at = endPct
    from = name
  })
  straight('line', 1)
  return all
}

/** Returns what is left of a part without others, which do not overlap. */
function without({ startPct, endPct }: Part, others: readonly Part[]): Part[] {
  const left: Part[] = []
  let at = startPct
  for (const other of others) {
    if (other.endPct <= at || other.startPct >= endPct) continue
    if (other.startPct > at) left.push({ startPct: at, endPct: other.startPct })
    at = other.endPct
  }
  if (at < endPct) left.push({ startPct: at, endPct })
  return left
}

const INCIDENT_WORDS: Readonly<Record<IncidentKind, string>> = {
  off_track: 'Off',
  contact: 'Contact',
  loss_of_control: 'Loss of control',
  unknown: 'Incident',
}

/** Names incidents by the corner in which they began, and numbers those of one corner. */
function incidentNames(incidents: readonly IncidentPart[], corners: readonly Corner[]): string[] {
  const seen = new Map<string, number>()
  return incidents.map(({ kind, of, fromPct }) => {
    const corner = corners.findLast(({ startPct }) => startPct <= fromPct)
    const place = corner === undefined ? 'after the line' : placeAt(corner, fromPct)
    const word = INCIDENT_WORDS[kind]
    const name = `${of === 'lap' ? word : `Reference ${word.toLowerCase()}`} ${place}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

function placeAt({ name, endPct }: Corner, pct: number): string {
  return `${pct <= endPct ? 'in' : 'after'} ${name}`
}
