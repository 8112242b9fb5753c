import type { KeyPress } from '../cursor-keys.ts'

/** What a key does to the camera. Turns are degrees, moves are shares of the picture. */
export type CameraKey = CameraMove | 'follow'

export type CameraMove =
  | { readonly kind: 'orbit'; readonly headingDeg: number; readonly tiltDeg: number }
  | { readonly kind: 'pan'; readonly x: number; readonly y: number }

/** Degrees of one press. */
export const TURN_DEG = 10
export const TILT_DEG = 5

/** Share of the picture of one press. */
const MOVE = 0.1

const KEYS: Readonly<Record<string, CameraKey>> = {
  a: { kind: 'orbit', headingDeg: TURN_DEG, tiltDeg: 0 },
  d: { kind: 'orbit', headingDeg: -TURN_DEG, tiltDeg: 0 },
  w: { kind: 'orbit', headingDeg: 0, tiltDeg: TILT_DEG },
  s: { kind: 'orbit', headingDeg: 0, tiltDeg: -TILT_DEG },
  i: { kind: 'pan', x: 0, y: MOVE },
  k: { kind: 'pan', x: 0, y: -MOVE },
  j: { kind: 'pan', x: MOVE, y: 0 },
  l: { kind: 'pan', x: -MOVE, y: 0 },
  f: 'follow',
}

/** Returns what a key does to the camera; null for other keys. Alt, Ctrl and Meta belong to the browser. */
export function cameraKey({ key, altKey, ctrlKey, metaKey }: KeyPress): CameraKey | null {
  return altKey || ctrlKey || metaKey ? null : (KEYS[key.toLowerCase()] ?? null)
}
