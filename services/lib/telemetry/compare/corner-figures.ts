import type { Corner } from '../corners/corner.ts'
import { valueAt } from './delta-trace.ts'
import type { LapTrack } from './lap-track.ts'

/**
 * What a driver did in one corner: the figures that show a coach why time was lost. A figure is null if the
 * lap lacks the channel or its driver did not brake or lift. Distances are null if the length of the lap is
 * unknown.
 */
export interface CornerFigures {
  /** Metres from the line to the braking point; null if the braking began before the line. */
  readonly brakeM: number | null
  /** Lowest speed in the corner, m/s. */
  readonly minSpeedMps: number | null
  /** Metres from the line at which the throttle was back on for the exit; null in a corner without a lift. */
  readonly throttleM: number | null
  /** Speed at the corner's end, m/s. A slow exit costs time along the whole straight after it. */
  readonly exitSpeedMps: number | null
}

/** Returns the figures of a lap in the corner at `index`; distances in metres of a lap of `lengthM`. */
export function cornerFigures(
  { pct, speed, brake, throttle }: LapTrack,
  corners: readonly Corner[],
  index: number,
  lengthM: number | null,
): CornerFigures {
  const last = pct.length - 1
  const at = (share: number): number => Math.round(share * last)
  const metres = (i: number | null): number | null =>
    i === null || lengthM === null ? null : (i / last) * lengthM

  const { startPct, apexPct, endPct } = corners[index]!
  // Braking may begin while another driver is still on the straight, but not before the apex of the corner
  // before. The throttle may be back on only on the straight, but not after the apex of the next corner.
  const from = at(corners[index - 1]?.apexPct ?? 0)
  const to = at(corners[index + 1]?.apexPct ?? 1)
  // If the throttle was back on before the end of the corner before, it belongs to the exit of that corner.
  const lifted = at(corners[index - 1]?.endPct ?? 0)
  const slowest = speed === undefined ? null : slowestOf(speed, at(startPct), at(apexPct), at(endPct))
  const apex = slowest ?? at(apexPct)
  return {
    brakeM: brake === undefined ? null : metres(brakePoint(brake, from, apex)),
    minSpeedMps: speed === undefined || slowest === null ? null : speed[slowest]!,
    throttleM:
      throttle === undefined
        ? null
        : metres(
            throttlePoint(throttle, lifted, apex, brake === undefined ? to : nextBraking(brake, apex, to)),
          ),
    exitSpeedMps: speed === undefined ? null : finite(valueAt(speed, endPct)),
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/**
 * Returns the slowest point between two; null if no speed is a number. If that is the end itself, the car
 * already slows for the next corner. Then only the part up to the apex counts.
 */
function slowestOf(speed: Float32Array, from: number, apex: number, to: number): number | null {
  let slowest: number | null = null
  for (let i = from; i <= to; i++) {
    if (!Number.isFinite(speed[i]!)) continue
    if (slowest === null || speed[i]! < speed[slowest]!) slowest = i
  }
  return slowest === to && apex < to ? slowestOf(speed, from, apex, apex) : slowest
}

/** A foot that rests on the pedal presses less. */
const BRAKE_ON = 0.05
/** A touch that stays below this does not slow a car for a corner. */
const BRAKE_FIRM = 0.15

/**
 * Returns the braking point: the first point of the braking with the most brake in total; null without one.
 * Drivers also tap the brake to settle the car before it, or to catch the car after it. A braking that is on
 * at `from` belongs to the corner before.
 */
function brakePoint(brake: Float32Array, from: number, to: number): number | null {
  let point: number | null = null
  let most = 0
  let i = from
  while (i <= to && brake[i]! >= BRAKE_ON) i++
  while (i <= to) {
    if (!(brake[i]! >= BRAKE_ON)) {
      i++
      continue
    }
    const start = i
    let pressed = 0
    let firmest = 0
    for (; i <= to && brake[i]! >= BRAKE_ON; i++) {
      pressed += brake[i]!
      firmest = Math.max(firmest, brake[i]!)
    }
    if (firmest >= BRAKE_FIRM && pressed > most) {
      most = pressed
      point = start
    }
  }
  return point
}

/**
 * Returns where the next corner's braking begins, or `to`. The braking at the apex belongs to this corner.
 */
function nextBraking(brake: Float32Array, apex: number, to: number): number {
  let i = apex
  while (i < to && brake[i]! >= BRAKE_ON) i++
  while (i < to && !(brake[i]! >= BRAKE_FIRM)) i++
  return i
}

/**
 * Drivers rest up to a quarter of the throttle while they brake, and use a third for a blip. On the exit all
 * of them pass this value.
 */
const THROTTLE_ON = 0.4
/** Share of the highest throttle of the exit; above it the throttle stays on. */
const THROTTLE_FULL = 0.9

/**
 * Returns the point at which the throttle was back on for the exit. It is found backwards from full throttle
 * after the slowest point. It may lie before the slowest point: an early throttle is the faster one. Null if
 * the throttle was never on, or never off.
 */
function throttlePoint(throttle: Float32Array, from: number, slowest: number, to: number): number | null {
  let most = 0
  for (let i = slowest; i <= to; i++) if (throttle[i]! > most) most = throttle[i]!
  if (most < THROTTLE_ON) return null
  let i = slowest
  while (i <= to && !(throttle[i]! >= THROTTLE_FULL * most)) i++
  while (i > from && throttle[i]! >= THROTTLE_ON) i--
  return throttle[i]! >= THROTTLE_ON ? null : i + 1
}
