/** The specification's words about taking a lap as the reference. */
export const USE_HINT = 'Use this lap as a reference for comparison against your own times'

/** Why a lap of a board cannot be compared with what is loaded. */
export function notAvailableHint(trackLabel: string, carLabel: string): string {
  return `To use this lap as a reference, upload a file with ${trackLabel} : ${carLabel} combination`
}
