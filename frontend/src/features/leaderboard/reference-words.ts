/** The specification's hint for loading a lap as the reference. */
export const USE_HINT = 'Use this lap as a reference for comparison against your own times'

/** Returns why a lap of another board cannot be a reference for the loaded file. */
export function notAvailableHint(trackLabel: string, carLabel: string): string {
  return `To use this lap as a reference, upload a file with ${trackLabel} : ${carLabel} combination`
}
