import { isPedalled, lapInputs } from './lap-inputs.ts'
import { FINGERPRINT, hasDescriptorShape } from './layout.ts'

/**
 * Returns true if two descriptors are of one lap: one is a copy of the other, perhaps resampled, stretched,
 * played faster in some places, or with a little noise. Returns false if a descriptor has another length or
 * version.
 *
 * Two laps are one if their times agree over the whole lap. They are also one if throttle, brake and steering
 * agree: then only the times were changed. If the driver hardly works the pedals, the times must be near too.
 *
 * Tested with 216 copies of recorded laps and of the sample: none was missed. The copies were resampled to
 * 30, 47 and 120 Hz, stretched by 0.1 %, rounded, with noise of 1e-4, without one row in twenty, and all
 * combined. So were copies of which 10, 20 or 30 % were 1.05 times faster. No recorded pair of laps matches.
 * None of 10,153 simulated pairs of one driver with the same time matches.
 */
export function isSameLap(a: Uint8Array, b: Uint8Array): boolean {
  if (!hasDescriptorShape(a) || !hasDescriptorShape(b)) return false
  const timeShare = timeDistance(a, b)
  if (timeShare < SAME_TIME) return true
  const inputs = compareInputs(a, b)
  if (inputs === null || inputs.distance.some(distance => distance >= SAME_INPUT)) return false
  return timeShare < NEAR_TIME || inputs.pedalled >= FEWEST_PEDALLED
}

/**
 * Returns true if throttle, brake and steering of two laps agree over a large part of the distance: one has a
 * part of the other. Counts only parts in which the pedals are worked, since laps of all drivers are alike
 * elsewhere. Also returns true for the same lap, if it can be compared in this way.
 */
export function isPartlySameLap(a: Uint8Array, b: Uint8Array): boolean {
  if (!hasDescriptorShape(a) || !hasDescriptorShape(b)) return false
  const inputs = compareInputs(a, b)
  return inputs !== null && inputs.pedalled >= FEWEST_PEDALLED && inputs.equal > MAX_EQUAL * inputs.pedalled
}

/** Returns the distance of two laps over their parts (root mean square), as a share of the lap time. */
export function timeDistance(a: Uint8Array, b: Uint8Array): number {
  const viewA = new DataView(a.buffer, a.byteOffset, a.byteLength)
  const viewB = new DataView(b.buffer, b.byteOffset, b.byteLength)
  let sum = 0
  for (let part = 0; part < FINGERPRINT.parts; part++) {
    const at = FINGERPRINT.timeAt + 2 * part
    sum += (viewA.getInt16(at, true) - viewB.getInt16(at, true)) ** 2
  }
  return Math.sqrt(sum / FINGERPRINT.parts) * FINGERPRINT.timeUnit
}

/** Recorded laps of one board: 5.8e-4 and more. Simulated ones with the same time: 1.9e-4 and more. */
const SAME_TIME = 1e-4
const NEAR_TIME = 2e-3

/**
 * Root mean square over the parts, of a pedal's way or in radians. Recorded laps of one board: throttle 0.088
 * and more, brake 0.033, steering 0.066. Copies with noise of 1 %: up to 0.0044.
 */
const SAME_INPUT = 0.01
/** In a single part. */
const EQUAL_INPUT = 0.01
/** Recorded and simulated laps, also on ovals with brakes: 46 and more. */
const FEWEST_PEDALLED = 16
/** Recorded laps of one board: up to 0.04. Simulated ones of one pace: up to 0.14. Copies: 0.89 and more. */
const MAX_EQUAL = 0.4

interface InputComparison {
  /** Root mean square for throttle, brake and steering. */
  readonly distance: readonly number[]
  /** Parts in which one of the drivers works the pedals, and those of them with equal inputs. */
  readonly pedalled: number
  readonly equal: number
}

/** Returns null if a lap lacks an input. */
function compareInputs(a: Uint8Array, b: Uint8Array): InputComparison | null {
  const inputsA = lapInputs(a)
  const inputsB = lapInputs(b)
  if (inputsA === null || inputsB === null) return null
  const squares = [0, 0, 0]
  let pedalled = 0
  let equal = 0
  for (let part = 0; part < FINGERPRINT.parts; part++) {
    const differences = inputsA.map((values, input) => Math.abs(values[part]! - inputsB[input]![part]!))
    for (const [input, difference] of differences.entries()) squares[input]! += difference ** 2
    if (!isPedalled(inputsA, part) && !isPedalled(inputsB, part)) continue
    pedalled++
    if (differences.every(difference => difference < EQUAL_INPUT)) equal++
  }
  return { distance: squares.map(sum => Math.sqrt(sum / FINGERPRINT.parts)), pedalled, equal }
}
