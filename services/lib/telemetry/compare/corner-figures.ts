import type { Corner } from '../corners/corner.ts'
import { valueAt } from './delta-trace.ts'
import type { LapTrack } from './lap-track.ts'

/**
 * What a driver did in one corner: the figures by which a coach tells why time was lost there. Null
 * where the lap lacks the channel, where its driver did not do it, and, of metres, where no length is known.
 */
export interface CornerFigures {
  /** Metres from the line at which the braking for this corner began; null where it began before the line. */
  readonly brakeM: number | null
  /** Lowest speed in the corner, m/s. */
  readonly minSpeedMps: number | null
  /** Metres from the line at which the throttle came back for the way out; null in a corner without a lift. */
  readonly throttleM: number | null
  /** Speed at the corner's end, m/s: a slow exit costs all along the straight behind it. */
  readonly exitSpeedMps: number | null
}

/** The figures of a lap in the corner of that index; places in metres of a lap of `lengthM`. */
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
  // Braking may begin where another driver is still on the straight, but not before the last corner's
  // apex; the throttle may come back on the straight, but not behind the next corner's.
  const from = at(corners[index - 1]?.apexPct ?? 0)
  const to = at(corners[index + 1]?.apexPct ?? 1)
  // Throttle that came back before the last corner's end belongs to that one's way out.
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
 * The slowest point between two; null where no speed is a number. One that is slowest at its very end
 * slows for the next corner, so that only what lies up to the apex counts.
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
/** A touch that never gets this far does not slow a car for a corner. */
const BRAKE_FIRM = 0.15

/**
 * The first point of the braking that took most: a stab to settle the car before it, or one to catch it
 * behind it, is not where a driver brakes for the corner. One that is on already at `from` belongs to what
 * lies before.
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

/** From the braking that may go on at a corner's apex to the first that is for another corner, or `to`. */
function nextBraking(brake: Float32Array, apex: number, to: number): number {
  let i = apex
  while (i < to && brake[i]! >= BRAKE_ON) i++
  while (i < to && !(brake[i]! >= BRAKE_FIRM)) i++
  return i
}

/**
 * Drivers rest up to a quarter of the throttle while they brake, and blip a third of it to shift down;
 * on the way out all of them go through this much.
 */
const THROTTLE_ON = 0.4
/** Of the most that is given on the way out: by then it came back for good. */
const THROTTLE_FULL = 0.9

/**
 * Back from where the throttle is as good as fully on behind the slowest place, the last point at which
 * it was not on yet. That may lie before the slowest place: a driver who is on it early is the faster one.
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
