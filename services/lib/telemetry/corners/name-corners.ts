import type { Corner, FoundCorner, NumberedCorner } from './corner.ts'

/** A track and its layout, by the slugs of its board (D-4). */
export interface TrackName {
  readonly sim: string
  readonly track_slug: string
  readonly layout: string
}

/** Adds the displayed name to each corner of a track. */
export function nameCorners(corners: readonly NumberedCorner[], track: TrackName): readonly Corner[] {
  const names = knownNames[`${track.sim}/${track.track_slug}/${track.layout}`] ?? []
  return corners.map(corner => ({ ...corner, name: cornerName(corner), knownAs: findName(corner, names) }))
}

/** Returns `Turn 3`; `Turns 1–2` for an end of an oval. */
export function cornerName({ kind, number }: Pick<NumberedCorner, 'kind' | 'number'>): string {
  return kind === 'oval_end' ? `Turns ${number.replace('-', '–')}` : `Turn ${number}`
}

/** The name of a corner and the share of the lap at its middle. */
type KnownName = readonly [at: number, direction: FoundCorner['direction'], name: string]

/** Returns null also if a corner has two names. */
function findName({ startPct, endPct, direction }: FoundCorner, names: readonly KnownName[]): string | null {
  const here = names.filter(([at, way]) => way === direction && at >= startPct && at <= endPct)
  return here.length === 1 ? here[0]![2] : null
}

/** In driving order. Only names that the circuit itself uses and that clearly belong to one corner. */
const knownNames: Readonly<Record<string, readonly KnownName[]>> = {
  'iracing/lime-rock-park/grand-prix': [
    [0.15, 'right', 'Big Bend'],
    [0.28, 'left', 'The Left-Hander'],
    [0.345, 'right', 'The Right-Hander'],
    [0.49, 'right', 'The Uphill'],
    [0.665, 'right', 'West Bend'],
    [0.83, 'right', 'The Downhill'],
  ],
}
