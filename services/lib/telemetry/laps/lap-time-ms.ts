/**
 * Returns a lap time in whole milliseconds, rounded half up (D-6). The tiny addition makes up for what a
 * decimal such as 15.2395 loses as a binary number.
 */
export function lapTimeMs(timeS: number): number {
  return Math.floor(timeS * 1000 + 0.5 + 1e-6)
}
