/** Widths of the lines of an outline, in pixels. */
export interface LineWidths {
  readonly lap: number
  /** Wider than the lap above it, so that its edges show where both lines are one. */
  readonly reference: number
}

/** Pixels per metre up to which a line is as wide as it gets, and from which it is as thin as it gets. */
const FAR = 0.6
const NEAR = 5
const WIDE_PX = 3
const THIN_PX = 1.75
const EDGES_PX = 2.25

/** Returns the widths at a scale in pixels per metre. Near lines are thin: two laps are a metre or two apart. */
export function lineWidths(scale: number): LineWidths {
  const share = Math.log(scale / FAR) / Math.log(NEAR / FAR)
  const lap = WIDE_PX - (WIDE_PX - THIN_PX) * Math.min(1, Math.max(0, share))
  return { lap, reference: lap + EDGES_PX }
}
