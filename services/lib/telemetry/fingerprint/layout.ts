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
  inputs: [
    { name: 'throttle', flag: 1, at: 2 + 2 * PARTS, unit: 1e-4 },
    { name: 'brake', flag: 2, at: 2 + 4 * PARTS, unit: 1e-4 },
    { name: 'steering', flag: 4, at: 2 + 6 * PARTS, unit: 1e-3 },
  ],
} as const

export function hasDescriptorShape(bytes: Uint8Array): boolean {
  return bytes.byteLength === FINGERPRINT.bytes && bytes[0] === FINGERPRINT.version
}
