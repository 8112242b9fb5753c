import { FINGERPRINT } from './layout.ts'

/** The means of throttle (0..1), brake (0..1) and steering (radians) over each part of a lap. */
export type LapInputs = readonly [throttle: Float64Array, brake: Float64Array, steering: Float64Array]

/** Reads the inputs of a descriptor; null if the lap lacks one of them. */
export function lapInputs(descriptor: Uint8Array): LapInputs | null {
  const view = new DataView(descriptor.buffer, descriptor.byteOffset, descriptor.byteLength)
  const [throttle, brake, steering] = FINGERPRINT.inputs.map(({ flag, at, unit }) =>
    (descriptor[1]! & flag) === 0
      ? null
      : Float64Array.from(
          { length: FINGERPRINT.parts },
          (_, part) => view.getInt16(at + 2 * part, true) * unit,
        ),
  )
  return throttle && brake && steering ? [throttle, brake, steering] : null
}

/**
 * Returns true if the driver works the pedals in a part: brakes, or gives some throttle and not all. Laps of
 * all drivers are alike elsewhere, with full throttle on a straight.
 */
export function isPedalled([throttle, brake]: LapInputs, part: number): boolean {
  return brake[part]! > IDLE || (throttle[part]! > IDLE && throttle[part]! < 1 - IDLE)
}

const IDLE = 0.02
