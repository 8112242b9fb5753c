import type { LapMapInput } from '../lap-map-input.ts'

/** Returns a lap of a ring near 51.5° north, 1.25° west: 300 samples, 4 m apart. */
export function aLap(replaced: Partial<LapMapInput> = {}): LapMapInput {
  const samples = 300
  const angle = (i: number) => (2 * Math.PI * i) / samples
  const column = (value: (i: number) => number) => Float64Array.from({ length: samples }, (_, i) => value(i))
  return {
    lat: column(i => 51.5 + 0.0017 * Math.sin(angle(i))),
    lon: column(i => -1.25 + 0.0027 * Math.cos(angle(i))),
    alt: column(() => 100),
    throttle: column(i => (i % 100 < 60 ? 1 : 0)),
    brake: column(i => (i % 100 >= 80 ? 1 : 0)),
    laps: [{ lap: 1, row_start: 0, row_end: samples - 1 }],
    selection: new Set([1]),
    boundaryPairs: [],
    decimateToleranceMeters: 0.5,
    ...replaced,
  }
}
