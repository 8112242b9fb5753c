import { type GearRatios, hasOtherGears, sharesNoGear } from '@lapwing/telemetry'

/** The gear ratios of a stored lap that counts. */
export interface KnownGears {
  readonly ratios: GearRatios
  /**
   * Network of the lap's account, if the account can vote. Null for a lap that a moderator released, and for a
   * lap of the same driver without a vote: these are known, but prove nothing about the car.
   */
  readonly witness: string | null
}

/** Drivers of a board, each on a network of its own, who must have shown the gears of a car. */
const FEWEST_WITNESSES = 5

/** Drivers of other boards who must have shown other gears of a car: its gears can be changed. */
const FEWEST_ELSEWHERE = 3

/**
 * Returns true if the gears of a car evidently cannot be changed: enough drivers of a board have shown the same
 * ones there, and nobody other ones. Ask then for the gears on other boards: `areChangeable`.
 */
export function areFixed(onBoard: readonly KnownGears[]): boolean {
  if (countWitnesses(onBoard) < FEWEST_WITNESSES) return false
  return !onBoard.some((one, i) =>
    onBoard.slice(i + 1).some(other => hasOtherGears(one.ratios, other.ratios)),
  )
}

/** Returns true if nobody has shown the gears of a lap. So gears that cannot be compared are new, too. */
export function areNew(ratios: GearRatios, known: readonly KnownGears[]): boolean {
  return known.every(one => hasOtherGears(ratios, one.ratios) || sharesNoGear(ratios, one.ratios))
}

/** Returns true if enough drivers of other boards have shown other gears than all of the board. */
export function areChangeable(onBoard: readonly KnownGears[], elsewhere: readonly KnownGears[]): boolean {
  // Gears that cannot be compared prove nothing here.
  const others = elsewhere.filter(({ ratios }) => onBoard.every(one => hasOtherGears(ratios, one.ratios)))
  return countWitnesses(others) >= FEWEST_ELSEWHERE
}

function countWitnesses(known: readonly KnownGears[]): number {
  return new Set(known.flatMap(({ witness }) => (witness === null ? [] : [witness]))).size
}
