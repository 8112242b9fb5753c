import { METRES_PER_DEGREE, metresPerLongitude } from './bounds.ts'
import { altitudeM } from './clamps.ts'
import { decimate } from './decimate.ts'
import {
  type LapLine,
  type LapMapInput,
  type LapPath,
  type LapRows,
  NEUTRAL_COLOR,
  PEDAL_COLORS,
} from './lap-map-input.ts'
import { pedalSegments, runsOf } from './pedal-segments.ts'
import type { KnownPositions } from './positions.ts'

/** Metres. A longer step between two samples was not driven: a reset, a tow. */
const MAX_STEP_M = 100

/**
 * Returns the selected laps as lines, split at each change of the pedal state, at missing positions and at
 * jumps. A stretch of one sample is left out. The others continue to the first sample of the next one, so
 * that there is no gap at a change of colour. `positions` are those of the input.
 */
export function lapPaths(input: LapMapInput, positions: KnownPositions): LapPath[] {
  const { alt, throttle, brake, neutralColor = NEUTRAL_COLOR, decimateToleranceMeters, classes } = input
  const colors = { ...PEDAL_COLORS, ...input.colors, coast: neutralColor }
  const runsIn = (from: number, to: number) =>
    classes
      ? runsOf(classes.classOf, from, to).map(run => ({
          ...run,
          state: classes.states?.[run.state] ?? 'throttle',
          color: classes.colors[run.state]!,
        }))
      : pedalSegments(throttle, brake, from, to).map(run => ({ ...run, color: colors[run.state] }))
  return input.laps
    .filter(({ lap }) => input.selection.has(lap))
    .flatMap(rows => drivenStretches(positions, rows))
    .flatMap(([from, to]) =>
      runsIn(from, to).map(({ state, color, start, end }) => {
        const line = lineOf(positions, start, Math.min(end + 1, to), decimateToleranceMeters)
        const alts = Float32Array.from(line.indices, i => altitudeM(alt[i]))
        return { ...line, state, color, alt: alts }
      }),
    )
}

/** Returns whole laps as lines, split at missing positions and at jumps only. */
export function lapLines(
  positions: KnownPositions,
  laps: readonly Pick<LapRows, 'row_start' | 'row_end'>[],
  decimateToleranceMeters: number,
): LapLine[] {
  return laps
    .flatMap(rows => drivenStretches(positions, rows))
    .filter(([from, to]) => to > from)
    .map(([from, to]) => lineOf(positions, from, to, decimateToleranceMeters))
}

/** Returns the first and last samples of the stretches without a missing position or a jump. */
export function drivenStretches(
  { lat, lon }: KnownPositions,
  { row_start, row_end }: Pick<LapRows, 'row_start' | 'row_end'>,
): [number, number][] {
  const end = Math.min(lat.length - 1, row_end)
  const stretches: [number, number][] = []
  let start = -1
  for (let i = Math.max(0, row_start); i <= end; i++) {
    if (Number.isNaN(lat[i]!)) {
      if (start >= 0) stretches.push([start, i - 1])
      start = -1
    } else if (start < 0) start = i
    else if (isJump(lat[i - 1]!, lon[i - 1]!, lat[i]!, lon[i]!)) {
      stretches.push([start, i - 1])
      start = i
    }
  }
  if (start >= 0) stretches.push([start, end])
  return stretches
}

function isJump(fromLat: number, fromLon: number, lat: number, lon: number): boolean {
  const north = (lat - fromLat) * METRES_PER_DEGREE
  const east = (lon - fromLon) * metresPerLongitude(lat)
  return north * north + east * east > MAX_STEP_M * MAX_STEP_M
}

function lineOf({ lat, lon }: KnownPositions, from: number, to: number, toleranceM: number): LapLine {
  const indices = Uint32Array.from(decimate(lon, lat, from, to, toleranceM / METRES_PER_DEGREE))
  return {
    lat: Float64Array.from(indices, i => lat[i]!),
    lon: Float64Array.from(indices, i => lon[i]!),
    indices,
  }
}
