/** Limits of the distance from the camera to the ground in the 3D view, in metres (spec 001, 5). */
const MIN_RANGE_M = 300
const MAX_RANGE_M = 20_000

export const clampRangeM = (metres: number): number => Math.min(MAX_RANGE_M, Math.max(MIN_RANGE_M, metres))

/** Returns an altitude in metres; one that is missing or not finite counts as 0. */
export const altitudeM = (metres: number | undefined): number => (Number.isFinite(metres) ? metres! : 0)
