const PARTS = 128

/** The bytes of a descriptor. Any change here needs another version. */
export const FINGERPRINT = {
  version: 1,
  parts: PARTS,
  /** Version, flags of the present inputs, then 128 signed 16-bit numbers a series. */
  bytes: 2 + 4 * 2 * PARTS,
  timeAt: 2,
  /** A hundred-thousandth of the lap time: half a millisecond in 50 s. */
  timeUnit: 1e-5,
  /**
   * `same` is the root mean square below which two laps have the same input. Recorded laps of one board:
   * throttle 0.088 and more, brake 0.033, steering 0.066 rad.
   */
  inputs: [
    { name: 'throttle', flag: 1, at: 2 + 2 * PARTS, unit: 1e-4, same: 0.01 },
    { name: 'brake', flag: 2, at: 2 + 4 * PARTS, unit: 1e-4, same: 0.01 },
    { name: 'steering', flag: 4, at: 2 + 6 * PARTS, unit: 1e-3, same: 0.01 },
  ],
} as const
