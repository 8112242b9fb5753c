/** Points from `start` to `end`, both included, of a series over the lap. */
export interface Run {
  readonly start: number
  readonly end: number
}

/** A foot that rests on the pedal presses less. */
const BRAKE_ON = 0.05
/** A touch that stays below this does not slow a car for a corner. */
const BRAKE_FIRM = 0.1
/** Seconds. Dabs that are closer are one braking. */
const DAB_S = 0.5

/** Returns each time the brake was pressed, also as lightly as no braking is. */
export function brakePresses(brake: Float32Array): readonly Run[] {
  return runsFrom(brake, () => BRAKE_ON, BRAKE_ON)
}

/** Returns where the brake passes the least value of a braking on the way to its first point, between two points. */
export function pressedAt(brake: Float32Array, { start }: Run): number {
  return start === 0 ? 0 : start - passed(brake[start]!, brake[start - 1]!)
}

/** Returns where the brake passes it again after the last point of a braking. */
export function releasedAt(brake: Float32Array, { end }: Run): number {
  return end === brake.length - 1 ? end : end + passed(brake[end]!, brake[end + 1]!)
}

/** Returns the share of a step after which the brake is off, from a point on which it is on; 1 if unknown. */
function passed(on: number, off: number): number {
  const share = (on - BRAKE_ON) / (on - off)
  return Number.isFinite(share) ? share : 1
}

/** Joins presses that are closer than half a second, and returns those that slow the car. */
export function brakings(presses: readonly Run[], brake: Float32Array, time: Float64Array): readonly Run[] {
  return joined(presses, time, DAB_S).filter(({ start, end }) => {
    for (let i = start; i <= end; i++) if (brake[i]! >= BRAKE_FIRM) return true
    return false
  })
}

/** Drivers rest up to a quarter of the throttle while they brake, and use a third for a blip. */
const THROTTLE_ON_BRAKING = 0.4
/** A foot that holds the throttle in a long corner presses more. */
const THROTTLE_ON = 0.3
/** Seconds. A blip for a downshift is shorter. */
const LASTING_S = 0.3
/** Seconds. An upshift closes the throttle for less. */
const SHIFT_S = 0.25

/**
 * Returns where the throttle was on for longer than a blip. At an end of the lap it may be shorter. Without a brake
 * every point counts as one of braking.
 */
export function throttleApplications(
  throttle: Float32Array,
  brake: Float32Array | undefined,
  time: Float64Array,
): readonly Run[] {
  const last = throttle.length - 1
  const on = (i: number): number =>
    brake !== undefined && brake[i]! < BRAKE_ON ? THROTTLE_ON : THROTTLE_ON_BRAKING
  return joined(runsFrom(throttle, on, THROTTLE_ON), time, SHIFT_S).filter(
    ({ start, end }) => start === 0 || end === last || time[end]! - time[start]! >= LASTING_S,
  )
}

/** Seconds in which a foot moves a pedal. */
const MOVE_S = 0.5
/** Share of the throttle that was held; below it the foot has left. */
const HELD = 0.9
/** Share of the throttle that was held; a foot that falls below it for longer than a shift has lifted. */
const EASED = 0.8
/** Above the lowest throttle by this much, the foot has begun to press. */
const PRESSED = 0.04

/** Returns the last point at which the throttle was held before an application ended. */
export function liftPoint(throttle: Float32Array, time: Float64Array, { end }: Run): number {
  let most = 0
  for (let i = end; i >= 0 && time[end]! - time[i]! <= MOVE_S; i--) most = Math.max(most, throttle[i]!)
  let i = end
  while (i > 0 && !(throttle[i]! >= HELD * most)) i--
  return i
}

/**
 * Returns the last point before a foot eased off between two points, but stayed on the throttle; null if it kept
 * it. A throttle that only rises is kept.
 */
export function easePoint(throttle: Float32Array, time: Float64Array, { start, end }: Run): number | null {
  let most = 0
  let eased: number | null = null
  for (let i = start; i < throttle.length && (i <= end || eased !== null); i++) {
    most = Math.max(most, throttle[i]!)
    if (!(throttle[i]! < EASED * most)) eased = null
    else eased ??= i
    if (eased !== null && time[i]! - time[eased]! >= SHIFT_S) {
      return liftPoint(throttle, time, { start, end: eased })
    }
  }
  return null
}

/** Returns whether the throttle is on between two points, but for shifts. */
export function isHeld(applications: readonly Run[], between: Run): boolean {
  return applications.some(({ start, end }) => start <= between.start && end >= between.end)
}

/**
 * Returns the first point of an application at which the foot pressed. A squeeze may be slow and uneven: the
 * search ends when the throttle was no lower for half a second.
 */
export function pressPoint(throttle: Float32Array, time: Float64Array, { start }: Run): number {
  let least = start
  for (let i = start; i >= 0 && time[least]! - time[i]! <= MOVE_S; i--) {
    if (throttle[i]! < throttle[least]!) least = i
  }
  let i = start
  while (i > least && throttle[i - 1]! > throttle[least]! + PRESSED) i--
  return i
}

/** Returns where a series reaches `on` of that point, until it falls below `off`. NaN ends a run. */
function runsFrom(values: Float32Array, on: (i: number) => number, off: number): Run[] {
  const runs: Run[] = []
  for (let i = 0; i < values.length; i++) {
    if (!(values[i]! >= on(i))) continue
    const start = i
    while (i + 1 < values.length && values[i + 1]! >= off) i++
    runs.push({ start, end: i })
  }
  return runs
}

function joined(runs: readonly Run[], time: Float64Array, withinS: number): Run[] {
  const all: Run[] = []
  for (const run of runs) {
    const before = all.at(-1)
    if (before !== undefined && time[run.start]! - time[before.end]! < withinS) {
      all[all.length - 1] = { start: before.start, end: run.end }
    } else {
      all.push(run)
    }
  }
  return all
}
