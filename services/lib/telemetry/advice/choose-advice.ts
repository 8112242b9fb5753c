import type { AdviceAction, Finding } from './findings.ts'

/** A sentence to be: what to do, where, what it saves, and which lap did it. */
export interface Advice extends Finding {
  /** Index of the driver's own lap that did it; null if the reference did. */
  readonly ownLap: number | null
}

/** Sentences of a lap. */
export const MOST_ADVICE = 3

/**
 * Chooses what to say of a lap: at most `MOST_ADVICE`, what saves most first. For each finding against the reference
 * it prefers an own lap that shows the same action at the same place. The figures are then those against that lap, so
 * that the two laps side by side prove the sentence.
 *
 * @param own for each own lap the findings against it
 * @param isShown whether the reference itself was driven as it is. If not, a finding without an own lap is dropped.
 */
export function chooseAdvice(
  findings: readonly Finding[],
  own: readonly (readonly Finding[])[],
  isShown: boolean,
): readonly Advice[] {
  return findings
    .flatMap((finding): Advice[] => {
      const best = own
        .flatMap((its, ownLap): Advice[] => its.filter(isLike(finding)).map(same => ({ ...same, ownLap })))
        // Array.sort keeps the order of equal ones: the first own lap wins.
        .sort(byGain)[0]
      return best ? [best] : isShown ? [{ ...finding, ownLap: null }] : []
    })
    .sort((a, b) => byGain(a, b) || a.fromPct - b.fromPct)
    .slice(0, MOST_ADVICE)
}

const byGain = (a: Finding, b: Finding): number => b.gainMs - a.gainMs

const isLike =
  ({ action, corner }: Finding) =>
  (other: Finding): boolean =>
    other.corner?.number === corner?.number && isSameWay(other.action, action)

/** Two gears are two pieces of advice. */
function isSameWay(a: AdviceAction, b: AdviceAction): boolean {
  if (a.kind !== b.kind) return false
  return a.kind !== 'use_gear' || b.kind !== 'use_gear' || a.gear === b.gear
}
