import { type Bounds, boundsOf } from './bounds.ts'
import { type Connector, connectors } from './connectors.ts'
import type { LapMapInput, LapPath } from './lap-map-input.ts'
import { lapPaths } from './lap-paths.ts'
import { type KnownPositions, knownPositions } from './positions.ts'

/** The selected laps, ready to draw on a map. */
export interface LapMap {
  readonly positions: KnownPositions
  readonly paths: readonly LapPath[]
  readonly connectors: readonly Connector[]
  /** Bounds of all samples of the selected laps; null if none of them has a position. */
  readonly bounds: Bounds | null
}

/**
 * Turns samples into the lines, connector lines and bounds of the selected laps.
 *
 * @param positions those of the input, if a caller has them already
 */
export function lapMap(input: LapMapInput, positions = knownPositions(input)): LapMap {
  return {
    positions,
    paths: lapPaths(input, positions),
    connectors: connectors(positions, input.boundaryPairs),
    bounds: boundsOf(
      positions,
      input.laps.filter(({ lap }) => input.selection.has(lap)),
    ),
  }
}
