import type { PasswordStrength } from '@lapwing/identity-client/contract'

const WORDS = ['Very weak', 'Weak', 'Fair', 'Strong', 'Very strong'] as const

/** Describes the strength of a password for the driver, with 1 to 4 bars. */
export function describeStrength(strength: PasswordStrength) {
  const { score, breached_password, valid_password, feedback } = strength
  if (breached_password) {
    return {
      bars: 1,
      word: 'Known to thieves',
      advice: 'It is on a list of passwords that were stolen elsewhere.',
    }
  }
  return {
    bars: Math.min(Math.max(score, 1), 4),
    word: WORDS[score] ?? WORDS[0],
    advice: valid_password ? null : feedback.warning || feedback.suggestions[0] || null,
  }
}
