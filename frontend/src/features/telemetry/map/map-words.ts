import type { MapStatus } from './map-coordinator.ts'

/** Explains why there is no map; null if there is one. */
export function mapProblem({ problem }: Pick<MapStatus, 'problem'>): string | null {
  if (problem === 'no-positions') {
    return 'This lap holds no positions, so there is no map to draw. The traces below show the lap.'
  }
  if (problem === 'no-webgl') {
    return 'Your browser has no WebGL, which the 2D view needs. The Outline shows the lap without it.'
  }
  return null
}

/** Explains what the map lacks; null if nothing. */
export function baseNote(
  { base, isLost }: Pick<MapStatus, 'base' | 'isLost'>,
  isWanted: boolean,
): string | null {
  if (isLost)
    return 'Your graphics card stopped drawing the map. It continues by itself when the card is back.'
  if (!isWanted) return null
  if (base === 'missing') return 'The pictures of the map do not load, so the lap is on a grid.'
  if (base === 'broken') return 'Some pictures of the map do not load.'
  return null
}
