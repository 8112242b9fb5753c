/** Returns an angle without whole turns: from -π to π, in radians. */
export function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))
}
